import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { CreateCollectionRequest } from '../../api/types';
import { isPrivate, parseHttpUrl } from '../../credential/address';
import { CREDENTIAL } from '../../credential/connection';
import { inputError } from '../../fields';
import type { Run } from '../operation';
import { earlierNodes, readChoice, readText } from '../parameters';

const TEST_URL =
	'Webhook URL is a test URL: it accepts only one notification, and only while the editor listens for a test event. Use the production URL of the trigger for real collection requests.';
const NO_WEBHOOK =
	'Webhook URL has no /webhook/ in its path, unlike the URLs of n8n. Check that it is the production URL of a Data Collection Trigger.';

const notifyField: INodeProperties = {
	displayName: 'Report Status Changes To',
	name: 'notify',
	type: 'options',
	options: [
		{
			name: 'Nobody',
			value: 'none',
			description: 'Send no notifications; read the status when you need it',
		},
		{ name: 'A Trigger', value: 'trigger', description: 'Status changes start a workflow' },
		{ name: 'A Wait Operation Later in This Workflow', value: 'wait' },
	],
	default: 'none',
	description: 'Where the service sends notifications about status changes',
};

/** The fields that say where notifications go, in the order in which the editor shows them. */
export const notifyFields: INodeProperties[] = [
	notifyField,
	{
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
	},
];

type Webhook = Pick<CreateCollectionRequest, 'webhookUrl' | 'webhookSecret'>;

/**
 * The address for notifications, as Report Status Changes To says, and the secret that signs them.
 * Empty for Nobody. Throws a NodeOperationError for an address that could never receive a verified
 * notification.
 */
export async function readWebhook(run: Run, itemIndex: number): Promise<Webhook> {
	const notify = readChoice(run, itemIndex, notifyField);
	if (notify === 'none') return {};
	if (notify === 'wait') {
		await assertWebhooksCanRead(run);
		return checked(run, itemIndex, resumeUrlOf(run, itemIndex));
	}
	const webhookUrl = readText(run, itemIndex, 'webhookUrl', 'Webhook URL') ?? '';
	const webhook = checked(run, itemIndex, webhookUrl);
	const { pathname } = new URL(webhookUrl);
	if (pathname.includes('/webhook-test/')) run.hint(TEST_URL);
	else if (!pathname.includes('/webhook')) run.hint(NO_WEBHOOK);
	return webhook;
}

function checked(run: Run, itemIndex: number, webhookUrl: string): Webhook {
	const { baseUrl, webhookSecret, signing } = run.connection;
	const url = parseHttpUrl(webhookUrl);
	if (url === undefined) {
		const advice =
			'Copy the production URL of the Data Collection Trigger, e.g. https://n8n.example.com/webhook/…/webhook.';
		throw inputError(run, itemIndex, 'Webhook URL is not an absolute http(s) address', advice);
	}
	if (!signing.ok) {
		const advice = `${signing.fault.description} Or choose Nobody under Report Status Changes To.`;
		throw inputError(run, itemIndex, signing.fault.message, advice);
	}
	if (isPrivate(url.hostname) && !isPrivate(new URL(baseUrl).hostname)) {
		const message = `The service cannot reach the webhook URL: ${url.hostname} is a local or private address`;
		const advice =
			"Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions) to the public address of your n8n. If you copied the URL from a trigger, copy it again after that. If your n8n has no public address, choose Nobody under Report Status Changes To and let Wait read the status: set a time limit in Wait, and connect the items that timed out back to it.";
		throw inputError(run, itemIndex, message, advice);
	}
	return { webhookUrl, webhookSecret };
}

/** The last segment of the resume URL, so that no other Wait node receives our notifications. */
export const RESUME_PATH = 'data-collection';

/** Whether this is the address of an execution that waits. */
export const isResumeUrl = (url: string | undefined): boolean =>
	url !== undefined && new URL(url).pathname.endsWith(`/${RESUME_PATH}`);

/** The address where the service notifies this execution. n8n's token stays in the query. */
function resumeUrlOf({ context }: Run, itemIndex: number): string {
	const url = new URL(String(context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex)));
	url.pathname = `${url.pathname.replace(/\/$/, '')}/${RESUME_PATH}`;
	return url.href;
}

/**
 * Throws a NodeOperationError if the credential takes fields from the execution's data: for a
 * webhook, n8n reads the credential without that data, so no notification could be verified.
 */
export async function assertWebhooksCanRead(run: Run): Promise<void> {
	// Once for all items: n8n prepares a virtual machine for it.
	run.isCredentialFixed ??= isCredentialFixed(run);
	if (await run.isCredentialFixed) return;
	const message =
		'A field of the credential uses workflow data, which is not available when a notification arrives';
	const advice =
		'When a notification ends the wait, n8n reads the credential without any workflow data. In the Data Collection API credential, enter fixed values, or expressions that do not use workflow data.';
	throw inputError(run, 0, message, advice);
}

/** Without `connectionInputData`, n8n reads the credential as it does for a webhook. */
async function isCredentialFixed({ context, connection }: Run): Promise<boolean> {
	const asWebhook = Object.create(context, {
		connectionInputData: { value: undefined },
	}) as IExecuteFunctions;
	const read = await asWebhook.getCredentials(CREDENTIAL).catch(() => undefined);
	return JSON.stringify(read) === JSON.stringify(connection.credential);
}

/** In n8n's context of the flow, which all nodes of an execution share. */
const KEY = 'dataCollectionReported';

/** The executions to which the service reports, by request ID, for Creates of this execution. */
const reported = ({ context }: Run) =>
	(context.getContext('flow')[KEY] ??= {}) as Partial<Record<string, string>>;

/**
 * Notes that the service reports on a collection request to this execution. n8n keeps the note when
 * it retries an execution that failed: the retry has another ID, and notifications go on to the first.
 */
export function noteReported(run: Run, requestId: string): void {
	reported(run)[run.connection.sanitizer.text(requestId)] = run.context.getExecutionId();
}

/** Throws a NodeOperationError if no notification about them can reach this execution. */
export function assertReported(run: Run, requestIds: string[]): void {
	const all = reported(run);
	const about = requestIds.flatMap((id) => all[run.connection.sanitizer.text(id)] ?? []);
	const executions = about.length > 0 ? about : Object.values(all);
	const isElsewhere = executions.some((id) => id !== run.context.getExecutionId());
	if (executions.length > 0 && !isElsewhere) return;
	const [create] = creates(run);
	const where = create === undefined ? 'a Create operation before this node' : `"${create.name}"`;
	const message = isElsewhere
		? 'Nothing can end this wait: status changes are reported to another execution'
		: 'Nothing can end this wait: no status changes are reported to this execution';
	const advice = isElsewhere
		? 'The collection requests were created before this execution was retried, and the service still reports to the first one. Turn on Limit Wait Time, and connect the items that timed out back to this node: it then reads the status itself.'
		: `In ${where}, choose "A Wait Operation Later in This Workflow" under Report Status Changes To, or turn on Limit Wait Time here. If that is chosen already, the collection requests were created in another execution, e.g. step by step in the editor.`;
	throw inputError(run, 0, message, advice);
}

/** Whether an earlier node may report to a Wait when the whole workflow runs, as far as n8n tells. */
export const canBeReported = (run: Run): boolean =>
	Object.keys(reported(run)).length > 0 ||
	creates(run).some(({ parameters }) => /^(wait$|=)/.test(String(parameters?.notify)));

const creates = (run: Run) =>
	earlierNodes(run).filter(({ parameters }) => parameters?.operation === 'create');
