import type { INodeProperties } from 'n8n-workflow';

import { type Explanation } from '../../basics/explanation';
import { err, type Result } from '../../basics/result';
import { isOwnMachine, isPrivate } from '../../basics/url';
import { userError } from '../../n8n/errors';
import { isBesideOthers } from '../../n8n/graph';
import type { Parameters } from '../../n8n/parameters';
import { resumeUrlOf } from '../../n8n/suspension';
import { isTool } from '../../n8n/tool';
import type { CreateCollectionRequest } from '../../service/collectionRequest';
import { waitsAfter } from '../../shared/createAndWaitNodes';
import type { Run } from '../../shared/operation';
import { readWebhookUrl } from '../../shared/readWebhookUrl';
import { RESUME_PATH } from '../../wait/resume';

const TEST_URL =
	'Webhook URL is a test URL: it accepts only one notification, and only while the editor listens for a test event. Use the production URL of the trigger for real collection requests.';
const BESIDE =
	'A Wait is connected with this node directly, beside another branch, so it may begin before that branch has run, e.g. before anybody is emailed. Connect it behind the other branch.';

const notifyField: INodeProperties = {
	displayName: 'Report Status Changes To',
	name: 'notify',
	type: 'options',
	options: [
		{ name: 'A Trigger', value: 'trigger', description: 'Status changes start a workflow' },
		{
			name: 'A Wait Later in This Workflow, If Any',
			value: 'wait',
			description: 'Status changes end the wait; without a Wait, nothing is reported',
		},
		{
			name: 'Nobody',
			value: 'none',
			description: 'Send no notifications; read the status when you need it',
		},
	],
	default: 'wait',
	description: 'Where the service sends notifications about status changes',
};

const webhookUrlField: INodeProperties = {
	displayName: 'Webhook URL',
	name: 'webhookUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook/…/webhook',
	description:
		'Production URL of a Data Collection Trigger. The trigger needs this credential, or one with the same webhook secret. Check it with Notification > Send Test.',
	builderHint: {
		propertyHint:
			'The production URL of a Data Collection Trigger. It is known only once that node exists in n8n, so leave a placeholder for the user to fill in.',
		placeholderSupported: true,
	},
	displayOptions: { show: { notify: ['trigger'] } },
};

export const notifyFields: INodeProperties[] = [notifyField, webhookUrlField];

type Webhook = Pick<CreateCollectionRequest, 'webhookUrl' | 'webhookSecret'>;

interface Target {
	webhook?: Webhook;
	isThisExecution: boolean;
	triggerUrl?: URL;
}

const NO_TARGET: Target = { isThisExecution: false };

/**
 * What Report Status Changes To says. Throws a UserError for an address that could never
 * receive a verified notification.
 */
export function readTarget(run: Run, parameters: Parameters): Target {
	const notify = parameters.option(notifyField);
	if (notify === 'none') return NO_TARGET;
	if (notify === 'wait') return waitTarget(run, parameters);
	const url = readWebhookUrl(parameters, webhookUrlField);
	const webhook = webhookAt(run, url, 'the webhook URL');
	if (!webhook.ok) {
		const { message, description } = webhook.error;
		const orNobody = `${description} Or choose Nobody under Report Status Changes To.`;
		throw userError({ message, description: orNobody });
	}
	const target = { webhook: webhook.value, isThisExecution: false };
	if (url.pathname.includes('/webhook-test/')) {
		run.hint(TEST_URL);
		return target;
	}
	return { ...target, triggerUrl: url };
}

/** This execution, if a Wait comes later. As a tool, Create cannot know that: the agent decides. */
function waitTarget(run: Run, parameters: Parameters): Target {
	const waits = waitsAfter(run.context);
	if (waits.length === 0 && !isTool(run.context)) return NO_TARGET;
	if (waits.some(({ name }) => isBesideOthers(run.context, name))) run.hint(BESIDE);
	const webhook = webhookAt(
		run,
		resumeUrlOf(run.context, parameters.itemIndex ?? 0, RESUME_PATH),
		'this n8n',
	);
	if (webhook.ok) return { webhook: webhook.value, isThisExecution: true };
	const { message, description } = webhook.error;
	if (!waits.every(({ parameters }) => parameters?.limitWaitTime === true)) {
		const orLimit = `${description} Or turn on Limit Wait Time in the Wait after this node and lead Time's Up back to it: it then reads the status itself.`;
		throw userError({ message, description: orLimit });
	}
	run.hint(
		`Nothing is reported to the Wait after this node, which reads the status only when it begins: ${message}.`,
	);
	return NO_TARGET;
}

const SET_PUBLIC_ADDRESS =
	"Set n8n's environment variable N8N_WEBHOOK_URL (WEBHOOK_URL in older versions) to the public address of your n8n. If you copied the URL from a trigger, copy it again after that.";

/**
 * Fails if no notification could be verified, or if none could arrive because n8n's address leads
 * nowhere from another machine. Whether two addresses are of one machine or network is a guess: a hint.
 */
function webhookAt(
	{ connection: { baseUrl, environment, signingSecret }, hint }: Run,
	{ hostname, href }: URL,
	what: string,
): Result<Webhook, Explanation> {
	if (!signingSecret.ok) return signingSecret;
	const { hostname: service } = new URL(baseUrl);
	const isOwn = isOwnMachine(hostname);
	if (isOwn && !isPrivate(service)) {
		const message = `The service cannot reach ${what}: ${hostname} is the address of n8n's own machine`;
		return err({ message, description: SET_PUBLIC_ADDRESS });
	}
	// The practice service runs in this n8n, whatever its address is.
	const isGuess = isOwn
		? !isOwnMachine(service) && environment !== 'practice'
		: !isPrivate(service);
	if (isPrivate(hostname) && isGuess) {
		const where = isOwn ? 'on the same machine' : 'in the same network';
		hint(
			`Notifications go to ${hostname}, so they arrive only if the service is ${where}. If it is not: ${SET_PUBLIC_ADDRESS}`,
		);
	}
	return { ok: true, value: { webhookUrl: href, webhookSecret: signingSecret.value } };
}
