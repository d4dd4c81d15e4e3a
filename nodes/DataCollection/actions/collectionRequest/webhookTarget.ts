import type { CreateCollectionRequest } from '../../api/types';
import { isPrivate, parseHttpUrl } from '../../credential/address';
import { INCOMPLETE_SECRETS } from '../../credential/connection';
import type { Run } from '../operation';
import { hint, inputError } from '../operation';

const TEST_URL =
	'Webhook URL is a test URL: it answers one notification only, and only while the editor listens for a test event. Use the production URL of the trigger for real requests.';
const NO_WEBHOOK =
	'Webhook URL has no /webhook/ in its path, as the URLs of n8n have. Check that it is the production URL of a Data Collection Trigger.';

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
	if (url.pathname.includes('/webhook-test/')) hint(run, TEST_URL);
	else if (!url.pathname.includes('/webhook')) hint(run, NO_WEBHOOK);
	return { webhookUrl, webhookSecret };
}
