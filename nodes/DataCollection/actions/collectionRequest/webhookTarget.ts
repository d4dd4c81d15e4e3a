import type { INodeProperties } from 'n8n-workflow';

import type { CreateCollectionRequest } from '../../api/types';
import { isPrivate, parseHttpUrl } from '../../credential/address';
import { signingFault } from '../../credential/secrets';
import type { Run } from '../operation';
import { hint, inputError, textOf } from '../operation';
import { assertWebhooksCanRead, resumeUrlOf } from './wait/resumeUrl';

const TEST_URL =
	'Webhook URL is a test URL: it takes one notification only, and only while the editor listens for a test event. Use the production URL of the trigger for real requests.';
const NO_WEBHOOK =
	'Webhook URL has no /webhook/ in its path, as the URLs of n8n have. Check that it is the production URL of a Data Collection Trigger.';

/** The fields that say where notifications go, in the order in which the editor shows them. */
export const notifyFields: INodeProperties[] = [
	{
		displayName: 'Notify',
		name: 'notify',
		type: 'options',
		options: [
			{ name: 'Nobody', value: 'none', description: 'Read the state when you need it' },
			{ name: 'A Trigger', value: 'trigger', description: 'Status changes start a workflow' },
			{ name: 'A Wait Operation Later in This Workflow', value: 'wait' },
		],
		default: 'none',
		description: 'Where the service reports status changes',
	},
	{
		displayName: 'Webhook URL',
		name: 'webhookUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/…/webhook',
		description:
			'The production URL of a Data Collection Trigger that uses this credential, or one with the same webhook secret',
		builderHint: {
			propertyHint:
				'The production URL of a Data Collection Trigger. It is known once that node exists in n8n: leave a placeholder for the person to fill in.',
			placeholderSupported: true,
		},
		displayOptions: { show: { notify: ['trigger'] } },
	},
];

type WebhookTarget = Pick<CreateCollectionRequest, 'webhookUrl' | 'webhookSecret'>;

/**
 * The address for notifications, as Notify says, and the secret that signs them. Empty for Nobody.
 * Throws a NodeOperationError for an address that could never receive a verified notification.
 */
export async function webhookTarget(run: Run, itemIndex: number): Promise<WebhookTarget> {
	const notify = run.context.getNodeParameter('notify', itemIndex, 'none');
	if (notify === 'wait') {
		await assertWebhooksCanRead(run);
		return checked(run, itemIndex, resumeUrlOf(run, itemIndex));
	}
	if (notify !== 'trigger') return {};
	const webhookUrl = textOf(run, itemIndex, 'webhookUrl', 'Webhook URL') ?? '';
	const target = checked(run, itemIndex, webhookUrl);
	const { pathname } = new URL(webhookUrl);
	if (pathname.includes('/webhook-test/')) hint(run, TEST_URL);
	else if (!pathname.includes('/webhook')) hint(run, NO_WEBHOOK);
	return target;
}

function checked(run: Run, itemIndex: number, webhookUrl: string): WebhookTarget {
	const { baseUrl, webhookSecret } = run.connection;
	const refuse = (message: string, advice: string) => inputError(run, itemIndex, message, advice);
	const url = parseHttpUrl(webhookUrl);
	if (url === undefined) {
		const advice =
			'Copy the production URL of the Data Collection Trigger, e.g. https://n8n.example.com/webhook/…/webhook.';
		throw refuse('Webhook URL is not an absolute http(s) address', advice);
	}
	const fault = signingFault(run.connection);
	if (fault !== undefined) {
		throw refuse(fault.message, `${fault.description} Or choose Nobody under Notify.`);
	}
	if (isPrivate(url.hostname) && !isPrivate(new URL(baseUrl).hostname)) {
		const message = `The service cannot reach the webhook URL: ${url.hostname} is an address of this machine or its own network`;
		const advice =
			"Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions) to the public address of n8n. A URL copied from a trigger has to be copied again after that. Without a public address, choose Nobody under Notify and let Wait read the state: give it a limit, and lead its timeouts back to it.";
		throw refuse(message, advice);
	}
	return { webhookUrl, webhookSecret };
}
