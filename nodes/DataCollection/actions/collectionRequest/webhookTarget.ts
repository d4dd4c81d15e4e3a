import type { CreateCollectionRequest } from '../../api/types';
import { isPrivate, parseHttpUrl } from '../../credential/address';
import { INCOMPLETE_SECRETS } from '../../credential/connection';
import type { Run } from '../operation';
import { inputError } from '../operation';

/** The executions that have the hint already: one is enough for all items. */
const warnedOfTestUrl = new WeakSet<Run>();

/**
 * Checks where notifications shall go and adds the secret that signs them. Throws a
 * NodeOperationError for an address that could never receive a verified notification.
 */
export function webhookTarget(
	run: Run,
	itemIndex: number,
	webhookUrl: string,
): Pick<CreateCollectionRequest, 'webhookUrl' | 'webhookSecret'> {
	const { baseUrl, webhookSecret, areIncomplete } = run.connection;
	const refuse = (message: string, advice: string) => inputError(run, itemIndex, message, advice);

	const url = parseHttpUrl(webhookUrl);
	if (url === undefined) {
		throw refuse(
			'Webhook URL is not an absolute http(s) address',
			'Copy the production URL of the Data Collection Trigger, e.g. https://n8n.example.com/webhook/…/webhook.',
		);
	}
	if (webhookSecret === '' && areIncomplete) {
		throw refuse(INCOMPLETE_SECRETS.message, INCOMPLETE_SECRETS.description);
	}
	if (webhookSecret === '') {
		throw refuse(
			'The credential has no webhook secret to sign notifications with',
			'Enter a Webhook Secret in the Data Collection API credential, or leave Webhook URL empty.',
		);
	}
	if (isPrivate(url.hostname) && !isPrivate(new URL(baseUrl).hostname)) {
		throw refuse(
			`The service cannot reach the webhook URL: ${url.hostname} is an address of this machine or its own network`,
			"Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions) to the public address of n8n. A URL copied from a trigger has to be copied again after that.",
		);
	}
	if (url.pathname.includes('/webhook-test/')) warnOfTestUrl(run);
	return { webhookUrl, webhookSecret };
}

function warnOfTestUrl(run: Run): void {
	if (warnedOfTestUrl.has(run)) return;
	warnedOfTestUrl.add(run);
	run.context.addExecutionHints({
		type: 'warning',
		location: 'outputPane',
		message:
			'Webhook URL is a test URL: it answers one notification only, and only while the editor listens for a test event. Use the production URL of the trigger for real requests.',
	});
}
