import { createHmac, randomBytes, randomUUID } from 'node:crypto';

/** The headers and the exact bytes of a notification's POST. */
export interface Delivery {
	headers: Array<[name: string, value: string]>;
	body: Buffer;
}

/** A notification with these fields, signed as the service does; by default about a new request. */
export function signed(secret: string, fields: Record<string, unknown> = {}): Delivery {
	const timestamp = String(Date.now());
	const body = Buffer.from(
		JSON.stringify({
			event: 'collection_request.updated',
			requestId: randomBytes(12).toString('hex'),
			shareStatus: 'completed',
			webhookIdentifier: 'bench',
			timestamp,
			...fields,
		}),
	);
	const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
	return {
		headers: [
			['Content-Type', 'application/json'],
			['User-Agent', 'svc-webhooks/1.0'],
			['X-SVC-Signature', signature],
			['X-SVC-Timestamp', timestamp],
			['X-SVC-Event', 'collection_request.updated'],
			['X-SVC-Delivery-Id', randomUUID()],
		],
		body,
	};
}
