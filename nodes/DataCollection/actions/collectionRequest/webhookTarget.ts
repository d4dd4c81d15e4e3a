import type { INodeProperties } from 'n8n-workflow';

import type { CreateCollectionRequest } from '../../api/types';
import { isPrivate, parseHttpUrl } from '../../credential/address';
import { signingFault } from '../../credential/secrets';
import type { Run } from '../operation';
import { hint } from '../operation';
import { choiceOf, inputError, textOf } from '../parameters';
import { assertWebhooksCanRead, resumeUrlOf } from './wait/resumeUrl';

const TEST_URL =
	'Webhook URL is a test URL: it accepts only one notification, and only while the editor listens for a test event. Use the production URL of the trigger for real collection requests.';
const NO_WEBHOOK =
	'Webhook URL has no /webhook/ in its path, unlike the URLs of n8n. Check that it is the production URL of a Data Collection Trigger.';

const notifyField: INodeProperties = {
	displayName: 'Notify',
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

type WebhookTarget = Pick<CreateCollectionRequest, 'webhookUrl' | 'webhookSecret'>;

/**
 * The address for notifications, as Notify says, and the secret that signs them. Empty for Nobody.
 * Throws a NodeOperationError for an address that could never receive a verified notification.
 */
export async function webhookTarget(run: Run, itemIndex: number): Promise<WebhookTarget> {
	const notify = choiceOf(run, itemIndex, notifyField);
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
		const message = `The service cannot reach the webhook URL: ${url.hostname} is a local or private address`;
		const advice =
			"Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions) to the public address of your n8n. If you copied the URL from a trigger, copy it again after that. If your n8n has no public address, choose Nobody under Notify and let Wait read the status: set a time limit in Wait, and connect the items that timed out back to it.";
		throw refuse(message, advice);
	}
	return { webhookUrl, webhookSecret };
}
