import { SECRET, sign, type Delivery } from './delivery.mts';

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

/** The same in ISO 8601, in UTC. */
export const utc = (seconds = 0) => new Date(Number(now(seconds))).toISOString();

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

/** The same the other way round: a fraction of a second begins with a dot, too. */
function withShiftedFraction(): Sent {
	const { timestamp, signature, body } = genuine(utc());
	const [seconds = '', fraction = ''] = timestamp.split('.');
	return { timestamp: seconds, signature, body: Buffer.from(`${fraction}.${String(body)}`) };
}

/** Times that only look like the ones in ISO 8601 that a receiver may accept. */
const NOT_IN_UTC = [
	'2026-01-01T00:00:00',
	'2026-01-01T00:00:00+00:00',
	'2026-01-01T00:00:00z',
	'2026-01-01t00:00:00Z',
	'2026-01-01 00:00:00Z',
	'2026-01-01T00:00Z',
	'2026-01-01',
	'2026-01-01T00:00:00.Z',
	'2026-01-01T00:00:00,5Z',
	'2026-01-01T00:00:00Z.5',
	'2026-01-01T00:00:00ZZ',
	'+002026-01-01T00:00:00Z',
	'2026-1-01T00:00:00Z',
];

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
	...NOT_IN_UTC.map((time): [string, () => Sent] => [
		`the time ${time}, though signed`,
		() => genuine(time),
	]),
	['bytes moved from the body into a time in ISO 8601', () => withShiftedDot(genuine(utc()))],
	['bytes moved from a time in ISO 8601 into the body', withShiftedFraction],
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
