import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether one of the secrets signed `<timestamp>.<body>` (Signature). This hashes the bytes of the
 * body as they arrived: if it decoded or serialised them, a different body could match. Callers
 * must also refuse a timestamp whose end its form does not show: it could hide bytes of the body.
 * Tries every secret and compares in constant time, so that the duration does not reveal how much of
 * a signature is right. An empty secret never matches. Never throws.
 */
export function isSignedBy(
	secrets: ReadonlyArray<Buffer | string>,
	{ timestamp, body, signature }: { timestamp: string; body: Buffer; signature: string },
): boolean {
	const received = Buffer.from(signature);
	const matches = secrets
		.filter(({ length }) => length > 0)
		.map((secret) => Buffer.from(sign(secret, timestamp, body)))
		.filter((own) => own.length === received.length && timingSafeEqual(own, received));
	return matches.length > 0;
}

/** The HMAC-SHA256 of `<timestamp>.<body>`, in lowercase hex (Signature). */
const sign = (secret: Buffer | string, timestamp: string, body: Buffer | string): string =>
	createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** All headers of a delivery, signed as the service signs (Webhook request, Signature). */
export function signedHeaders(
	secret: string,
	delivery: { body: string; timestamp: string; event: string; deliveryId: string },
) {
	const { body, timestamp, event, deliveryId } = delivery;
	return {
		'Content-Type': 'application/json',
		'X-SVC-Signature': sign(secret, timestamp, body),
		'X-SVC-Timestamp': timestamp,
		'X-SVC-Event': event,
		'X-SVC-Delivery-Id': deliveryId,
		'User-Agent': 'svc-webhooks/1.0',
	};
}
