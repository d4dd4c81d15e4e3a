import { createHmac, timingSafeEqual } from 'node:crypto';

/** Characters of an HMAC-SHA256 in hex; each is one byte. */
const tagLength = 64;

/** What a delivery claims: the timestamp header as received, the raw body, the signature header. */
export interface SignedMessage {
	timestamp: string;
	body: Buffer;
	signature: string;
}

/** HMAC-SHA256 over the parts in a row, as 64 lowercase hex characters. */
export function hmacSha256Hex(key: Buffer | string, ...parts: Array<Buffer | string>): string {
	const hmac = createHmac('sha256', key);
	for (const part of parts) hmac.update(part);
	return hmac.digest('hex');
}

/**
 * Where two tags lie side by side to be compared; making new buffers would take longer than that.
 * They may be shared because nothing between writing and comparing lets other code run.
 */
const received = Buffer.alloc(tagLength);
const expected = Buffer.alloc(tagLength);

/** Only ASCII has a byte for each character, so no other text can be taken for the same bytes. */
const fits = (tag: string) => tag.length === tagLength && Buffer.byteLength(tag) === tagLength;

/**
 * Whether the tag is the HMAC of the parts under one of the keys. Tries every key and compares in
 * constant time, so that the time taken does not say how much of a tag is right; empty keys never
 * match; never throws.
 */
export function isHmacOf(
	keys: ReadonlyArray<Buffer | string>,
	tag: string,
	...parts: Array<Buffer | string>
): boolean {
	if (!fits(tag)) return false;
	received.write(tag, 'latin1');
	let matched = false;
	for (const key of keys) {
		if (key.length === 0) continue;
		expected.write(hmacSha256Hex(key, ...parts), 'latin1');
		if (timingSafeEqual(expected, received)) matched = true;
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

/**
 * Whether one of the secrets signed the message; empty secrets never match; never throws. A timestamp
 * that is no plain number has to be refused as well: a dot in it would count bytes of the body as its
 * own.
 */
export function isSignedBy(
	secrets: ReadonlyArray<Buffer | string>,
	{ timestamp, body, signature }: SignedMessage,
): boolean {
	return isHmacOf(secrets, signature, ...signedParts(timestamp, body));
}

const signedParts = (timestamp: string, body: Buffer) => [`${timestamp}.`, body];
