import { createHmac, randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { CREDENTIAL } from './credential.mts';

/** One POST to the trigger: the exact bytes and headers. */
export interface Delivery {
	body: Buffer;
	headers: Record<string, string>;
}

/** HMAC-SHA256 as the API describes it (Signature), written independently of the product. */
export function sign(body: Buffer | string, timestamp: string, secret = CREDENTIAL.webhookSecret) {
	return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** The fields of a notification; each has a request ID of its own. */
export function notification(changes: IDataObject = {}): IDataObject {
	return {
		event: 'collection_request.updated',
		requestId: randomUUID(),
		shareStatus: 'completed',
		webhookIdentifier: 'onboarding',
		timestamp: String(Date.now()),
		...changes,
	};
}

interface SignOptions {
	timestamp?: string;
	secret?: string;
}

/** A good delivery of any body, to be sent as it is or damaged first. */
export function delivery(
	content: IDataObject | Buffer | string = notification(),
	{ timestamp = String(Date.now()), secret }: SignOptions = {},
): Delivery {
	const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
	const body = Buffer.from(isRaw ? content : JSON.stringify(content));
	return {
		body,
		headers: {
			'content-type': 'application/json',
			'user-agent': 'svc-webhooks/1.0',
			'x-svc-event': 'collection_request.updated',
			'x-svc-delivery-id': randomUUID(),
			'x-svc-timestamp': timestamp,
			'x-svc-signature': sign(body, timestamp, secret),
		},
	};
}

/** The delivery with other headers; undefined leaves one out. */
export function withHeaders(
	{ body, headers }: Delivery,
	changes: Record<string, string | undefined>,
): Delivery {
	const merged: Record<string, string> = {};
	for (const [name, value] of Object.entries({ ...headers, ...changes })) {
		if (value !== undefined) merged[name] = value;
	}
	return { body, headers: merged };
}
