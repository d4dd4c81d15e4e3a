import { serviceCredential } from '../../../sandbox/shared/service.mts';
import { serviceUrl } from '../../e2e/support/environment.mts';

/** Creates a collection request by the service's API; answers its ID. */
export async function requestWithWebhook(
	webhookUrl: string,
	webhookSecret: string,
): Promise<string> {
	const response = await fetch(`${serviceUrl}/di/collection-request/`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			authorization: `Bearer ${serviceCredential.apiKey}`,
			tokenId: serviceCredential.tokenId,
		},
		body: JSON.stringify({ templateId: 'browser-template', webhookUrl, webhookSecret }),
	});
	return ((await response.json()) as { _id: string })._id;
}
