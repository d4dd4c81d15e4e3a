import type { INodeProperties } from 'n8n-workflow';

import type { CreateCollectionRequest } from '../../api/types';
import { isPrivate, parseHttpUrl } from '../../credential/address';
import type { Fault } from '../../credential/secrets';
import { parametersOf } from '../../parameters';
import type { Run } from '../operation';
import { isTool } from '../operation';

const TEST_URL =
	'Webhook URL is a test URL: it accepts only one notification, and only while the editor listens for a test event. Use the production URL of the trigger for real collection requests.';
const NO_WEBHOOK =
	'Webhook URL has no /webhook/ in its path, unlike the URLs of n8n. Check that it is the production URL of a Data Collection Trigger.';

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
		'Production URL of a Data Collection Trigger. The trigger needs this credential, or one with the same webhook secret.',
	builderHint: {
		propertyHint:
			'The production URL of a Data Collection Trigger. It is known only once that node exists in n8n, so leave a placeholder for the user to fill in.',
		placeholderSupported: true,
	},
	displayOptions: { show: { notify: ['trigger'] } },
};

/** The fields that say where notifications go, in the order in which the editor shows them. */
export const notifyFields: INodeProperties[] = [notifyField, webhookUrlField];

/** Where the service reports status changes to. */
export interface Target {
	/** The address, and the secret that signs the notifications. Empty if nothing is reported. */
	webhook: Pick<CreateCollectionRequest, 'webhookUrl' | 'webhookSecret'>;
	/** Whether that is a Wait later in this execution. */
	isThisExecution: boolean;
}

const NOBODY: Target = { webhook: {}, isThisExecution: false };

/**
 * Reads Report Status Changes To. Throws a NodeOperationError for an address that could never receive
 * a verified notification.
 */
export function readTarget(run: Run, itemIndex: number): Target {
	const given = parametersOf(run.context, itemIndex);
	const notify = given.choice(notifyField);
	if (notify === 'none') return NOBODY;
	if (notify === 'wait') return waitTarget(run, itemIndex);
	const webhookUrl = given.text(webhookUrlField) ?? '';
	const url = parseHttpUrl(webhookUrl);
	if (url === undefined) {
		const advice =
			'Copy the production URL of the Data Collection Trigger, e.g. https://n8n.example.com/webhook/…/webhook.';
		throw given.wrong('Webhook URL is not an absolute http(s) address', advice);
	}
	const fault = faultOf(run, url, 'the webhook URL');
	if (fault !== undefined) {
		const advice = `${fault.description} Or choose Nobody under Report Status Changes To.`;
		throw given.wrong(fault.message, advice);
	}
	if (url.pathname.includes('/webhook-test/')) run.hint(TEST_URL);
	else if (!url.pathname.includes('/webhook')) run.hint(NO_WEBHOOK);
	return { webhook: webhookAt(run, webhookUrl), isThisExecution: false };
}

/** This execution, if a Wait comes later. As a tool, Create cannot know that: the agent decides. */
function waitTarget(run: Run, itemIndex: number): Target {
	const waits = laterWaits(run);
	if (waits.length === 0 && !isTool(run)) return NOBODY;
	if (waits.some(({ name }) => isBesideOthers(run, name))) run.hint(BESIDE);
	const url = resumeUrlOf(run, itemIndex);
	const fault = faultOf(run, url, 'this n8n');
	if (fault === undefined) return { webhook: webhookAt(run, url.href), isThisExecution: true };
	if (!waits.every(({ parameters }) => parameters?.limitWaitTime === true)) {
		const advice = `${fault.description} Or turn on Limit Wait Time in the Wait after this node and lead Timed Out back to it: it then reads the status itself.`;
		throw parametersOf(run.context, itemIndex).wrong(fault.message, advice);
	}
	run.hint(
		`Nothing is reported to the Wait after this node, which reads the status only when it begins: ${fault.message}.`,
	);
	return NOBODY;
}

/** Whether a Wait is connected with this node directly, and other nodes are, too. */
function isBesideOthers({ context }: Run, wait: string): boolean {
	const { name: own } = context.getNode();
	const isDirect = (name: string) =>
		context.getParentNodes(name, { depth: 1 }).some((parent) => parent.name === own);
	if (!isDirect(wait)) return false;
	return context.getChildNodes(own).some(({ name }) => name !== wait && isDirect(name));
}

/** The Wait operations after this node. */
export function laterWaits({ context }: Run) {
	const { name, type } = context.getNode();
	return context
		.getChildNodes(name, { includeNodeParameters: true })
		.filter((node) => node.type === type && !node.disabled)
		.filter(({ parameters }) => parameters?.operation === 'wait');
}

/** Why no notification could arrive at the address, or none could be verified. */
function faultOf({ connection }: Run, { hostname }: URL, what: string): Fault | undefined {
	const { baseUrl, signing } = connection;
	if (!signing.ok) return signing.fault;
	if (!isPrivate(hostname) || isPrivate(new URL(baseUrl).hostname)) return undefined;
	return {
		message: `The service cannot reach ${what}: ${hostname} is a local or private address`,
		description:
			"Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions) to the public address of your n8n. If you copied the URL from a trigger, copy it again after that.",
	};
}

const webhookAt = ({ connection: { webhookSecret } }: Run, webhookUrl: string) => {
	return { webhookUrl, webhookSecret };
};

/** The last segment of the resume URL, so that no other Wait node receives our notifications. */
export const RESUME_PATH = 'data-collection';

/** The address where the service notifies this execution. n8n's token stays in the query. */
function resumeUrlOf({ context }: Run, itemIndex: number): URL {
	const url = new URL(String(context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex)));
	url.pathname = `${url.pathname.replace(/\/$/, '')}/${RESUME_PATH}`;
	return url;
}
