import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether one of the secrets signed `<timestamp>.<body>` (Signature). This hashes the bytes of the
 * body as they arrived: if it decoded or serialised them, a different body could match. Callers
 * must also refuse a timestamp that is not only digits: a dot in it could hide bytes of the body.
 */
export function isSignedBy(
	secrets: ReadonlyArray<Buffer | string>,
	{ timestamp, body, signature }: { timestamp: string; body: Buffer; signature: string },
): boolean {
	return isHmacOf(secrets, signature, `${timestamp}.`, body);
}

/**
 * Whether the tag is the HMAC-SHA256, in lowercase hex, of the parts under one of the keys. Tries
 * every key and compares in constant time, so that the duration does not reveal how much of a tag
 * is right. An empty key never matches. Never throws.
 */
export function isHmacOf(
	keys: ReadonlyArray<Buffer | string>,
	tag: string,
	...parts: Array<Buffer | string>
): boolean {
	const received = Buffer.from(tag);
	let isMatch = false;
	for (const key of keys) {
		if (key.length === 0) continue;
		const expected = Buffer.from(hmacOf(key, ...parts));
		if (expected.length === received.length && timingSafeEqual(expected, received)) isMatch = true;
	}
	return isMatch;
}

/** The HMAC-SHA256 of the concatenated parts, in lowercase hex. */
export function hmacOf(key: Buffer | string, ...parts: Array<Buffer | string>): string {
	const hmac = createHmac('sha256', key);
	for (const part of parts) hmac.update(part);
	return hmac.digest('hex');
}

/** All headers of a delivery, signed as the service signs (Webhook request, Signature). */
export function signedHeaders(
	secret: string,
	delivery: { body: string; timestamp: string; event: string; deliveryId: string },
) {
	const { body, timestamp, event, deliveryId } = delivery;
	return {
		'Content-Type': 'application/json',
		'X-SVC-Signature': hmacOf(secret, `${timestamp}.`, body),
		'X-SVC-Timestamp': timestamp,
		'X-SVC-Event': event,
		'X-SVC-Delivery-Id': deliveryId,
		'User-Agent': 'svc-webhooks/1.0',
	};
}
