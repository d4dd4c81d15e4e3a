import { serviceCredential } from '../../../sandbox/shared/service.mts';
import type { Json } from '../../../sandbox/n8n/types.mts';
import { serviceUrl } from '../../support/environment.mts';

/** Creates a collection request by the service's API; resolves to its ID. */
export async function createRequest(body: Json): Promise<string> {
	const response = await fetch(`${serviceUrl}/di/collection-request/`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			authorization: `Bearer ${serviceCredential.apiKey}`,
			tokenId: serviceCredential.tokenId,
		},
		body: JSON.stringify({ templateId: 'browser-template', ...body }),
	});
	return ((await response.json()) as { _id: string })._id;
}

/** The same, with notifications; resolves to its ID. */
export const requestWithWebhook = (webhookUrl: string, webhookSecret: string): Promise<string> =>
	createRequest({ webhookUrl, webhookSecret });
