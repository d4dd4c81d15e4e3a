import type { IExecuteFunctions } from 'n8n-workflow';

import type { Connection } from '../../context/connection';
import { isPrivate, parseHttpUrl } from '../../shared/address';
import { INCOMPLETE_SECRETS } from '../../shared/webhookSecrets';
import type { CreateCollectionRequest } from '../../shared/types';
import { inputError } from '../operation';

type WebhookTarget = Pick<CreateCollectionRequest, 'webhookUrl' | 'webhookSecret'>;

/** The executions that have the hint already: one is enough for all items. */
const warnedOfTestUrl = new WeakSet<object>();

/**
 * Checks where notifications shall go and adds the secret that signs them. Throws a
 * NodeOperationError for an address that could never receive a verified notification.
 */
export function webhookTarget(
	this: IExecuteFunctions,
	itemIndex: number,
	webhookUrl: string,
	{ baseUrl, webhookSecret, areIncomplete }: Connection,
): WebhookTarget {
	const url = parseHttpUrl(webhookUrl);
	if (url === undefined) {
		throw inputError.call(
			this,
			itemIndex,
			'Webhook URL is not an absolute http(s) address',
			'Copy the production URL of the Data Collection Trigger, e.g. https://n8n.example.com/webhook/…/webhook.',
		);
	}
	if (webhookSecret === '' && areIncomplete) {
		const { message, description } = INCOMPLETE_SECRETS;
		throw inputError.call(this, itemIndex, message, description);
	}
	if (webhookSecret === '') {
		throw inputError.call(
			this,
			itemIndex,
			'The credential has no webhook secret to sign notifications with',
			'Enter a Webhook Secret in the Data Collection API credential, or leave Webhook URL empty.',
		);
	}
	if (isPrivate(url.hostname) && !isPrivate(new URL(baseUrl).hostname)) {
		throw inputError.call(
			this,
			itemIndex,
			`The service cannot reach the webhook URL: ${url.hostname} is an address of this machine or its own network`,
			"Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions) to the public address of n8n. A URL copied from a trigger has to be copied again after that.",
		);
	}
	if (url.pathname.includes('/webhook-test/') && !warnedOfTestUrl.has(this)) {
		warnedOfTestUrl.add(this);
		this.addExecutionHints({
			type: 'warning',
			location: 'outputPane',
			message:
				'Webhook URL is a test URL: it answers one notification only, and only while the editor listens for a test event. Use the production URL of the trigger for real requests.',
		});
	}
	return { webhookUrl, webhookSecret };
}
