import { createHmac, timingSafeEqual } from 'node:crypto';

const LOWERCASE_HEX_SHA256 = /^[0-9a-f]{64}$/;

/** What a delivery claims: the timestamp header as received, the raw body, the signature header. */
export interface SignedMessage {
	timestamp: string;
	body: Buffer;
	signature: string;
}

/** HMAC-SHA256 over the parts in a row, as 32 bytes. */
function hmacSha256(key: Buffer | string, parts: Array<Buffer | string>): Buffer {
	const hmac = createHmac('sha256', key);
	for (const part of parts) hmac.update(part);
	return hmac.digest();
}

/** HMAC-SHA256 over the parts in a row, as 64 lowercase hex characters. */
export function hmacSha256Hex(key: Buffer | string, ...parts: Array<Buffer | string>): string {
	return hmacSha256(key, parts).toString('hex');
}

/**
 * Whether the tag is the HMAC of the parts under one of the keys. Tries every key and compares in
 * constant time, so that the time taken says nothing; empty keys never match; never throws.
 */
export function isHmacOf(
	keys: ReadonlyArray<Buffer | string>,
	tag: string,
	...parts: Array<Buffer | string>
): boolean {
	if (!LOWERCASE_HEX_SHA256.test(tag)) return false;
	const received = Buffer.from(tag, 'hex');
	let matched = false;
	for (const key of keys) {
		if (key.length === 0) continue;
		if (timingSafeEqual(hmacSha256(key, parts), received)) matched = true;
	}
	return matched;
}

/**
 * The signature of `<timestamp>.<body>` (Events, Signature verification). The body is hashed as the
 * bytes that arrived: decoding or re-serialising them would let a different body match. Throws a
 * RangeError for an empty secret.
 */
export function expectedSignature(
	secret: Buffer | string,
	timestamp: string,
	body: Buffer,
): string {
	if (secret.length === 0) throw new RangeError('An empty secret signs nothing');
	return hmacSha256Hex(secret, ...signedParts(timestamp, body));
}

/** Whether one of the secrets signed the message; empty secrets never match; never throws. */
export function isSignedBy(
	secrets: ReadonlyArray<Buffer | string>,
	{ timestamp, body, signature }: SignedMessage,
): boolean {
	return isHmacOf(secrets, signature, ...signedParts(timestamp, body));
}

const signedParts = (timestamp: string, body: Buffer) => [`${timestamp}.`, body];
