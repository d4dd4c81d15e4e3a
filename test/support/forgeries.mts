import { SECRET, sign, type Delivery } from '../../sandbox/testing/delivery.mts';

/** The parts that a sender of notifications assembles. */
export interface Sent {
	timestamp: string;
	signature: string;
	body: Buffer;
}

export const BODY = Buffer.from(
	'{ "event": "collection_request.updated", "requestId": "r1", "shareStatus": "cömpleted" }',
);

/** Milliseconds since 1970, shifted by this many seconds. */
export const now = (seconds = 0) => String(Date.now() + seconds * 1000);

export const genuine = (timestamp = now(), body = BODY): Sent => ({
	timestamp,
	signature: sign(SECRET, timestamp, body),
	body,
});

/** The delivery with these parts and nothing else. */
export const sentAs = ({ body, timestamp, signature }: Sent): Delivery => ({
	body,
	headers: [
		['X-SVC-Timestamp', timestamp],
		['X-SVC-Signature', signature],
	],
});

/** Moves what precedes the body's first dot into the timestamp: the signed bytes stay the same. */
function withShiftedDot({ timestamp, signature, body }: Sent): Sent {
	const dot = body.indexOf('.');
	const moved = body.subarray(0, dot).toString();
	return { timestamp: `${timestamp}.${moved}`, signature, body: body.subarray(dot + 1) };
}

const resigned = (change: (signature: string) => string) => () => {
	const sent = genuine();
	return { ...sent, signature: change(sent.signature) };
};

const replaced = (from: string, to: string) => () => ({
	...genuine(),
	body: Buffer.from(String(BODY).replace(from, to)),
});

/** What no receiver may accept, by what is wrong with it. */
export const FORGED: Array<[string, () => Sent]> = [
	['another body', () => ({ ...genuine(), body: Buffer.from('{"requestId":"r2"}') })],
	['another status', replaced('cömpleted', 'open')],
	['a space less', replaced('{ ', '{')],
	['a line break more', replaced(' }', ' }\n')],
	['no body', () => ({ ...genuine(), body: Buffer.alloc(0) })],
	['bytes moved from the body into the timestamp', () => withShiftedDot(genuine())],
	['the same without a signature', () => ({ ...withShiftedDot(genuine()), signature: '' })],
	['a time with a dot, though signed', () => genuine(`${now()}.5`)],
	['no time, though signed', () => genuine('')],
	['a time with a sign, though signed', () => genuine(`+${now()}`)],
	['a time in words, though signed', () => genuine('2026-01-01T00:00:00Z')],
	['another timestamp', () => ({ ...genuine(), timestamp: now(-1) })],
	['a timestamp in another unit', () => ({ ...genuine(), timestamp: `${now()}000` })],
	['no timestamp', () => ({ ...genuine(), timestamp: '' })],
	['another secret', () => ({ ...genuine(), signature: sign('other', now(), BODY) })],
	['no signature', resigned(() => '')],
	['half a signature', resigned((signature) => signature.slice(0, 32))],
	['a signature and a half', resigned((signature) => signature + signature.slice(0, 32))],
	['the signature in upper case', resigned((signature) => signature.toUpperCase())],
	['the signature with a prefix', resigned((signature) => `sha256=${signature}`)],
];
