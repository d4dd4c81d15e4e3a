import { createHmac, timingSafeEqual } from 'node:crypto';

const LOWERCASE_HEX_SHA256 = /^[0-9a-f]{64}$/;

/** What a delivery claims: the timestamp header as received, the raw body, the signature header. */
export interface SignedMessage {
	timestamp: string;
	body: Buffer;
	signature: string;
}

/**
 * HMAC-SHA256 over `<timestamp>.<body>` as 64 lowercase hex characters (Events, Signature
 * verification). The body is hashed as the bytes that arrived: decoding or re-serialising them
 * would let a different body match.
 */
export function expectedSignature(
	secret: Buffer | string,
	timestamp: string,
	body: Buffer,
): string {
	if (secret.length === 0) throw new RangeError('An empty secret signs nothing');
	return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/**
 * Whether one of the secrets signed the message. Tries every secret and compares in constant time,
 * so that the time taken says nothing; empty secrets never match; never throws.
 */
export function isSignedBy(
	secrets: ReadonlyArray<Buffer | string>,
	{ timestamp, body, signature }: SignedMessage,
): boolean {
	if (!LOWERCASE_HEX_SHA256.test(signature)) return false;
	const received = Buffer.from(signature);
	let matched = false;
	for (const secret of secrets) {
		if (secret.length === 0) continue;
		const expected = Buffer.from(expectedSignature(secret, timestamp, body));
		if (timingSafeEqual(expected, received)) matched = true;
	}
	return matched;
}
