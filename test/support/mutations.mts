import fc from 'fast-check';
import { createHash, createHmac } from 'node:crypto';
import type { Arrived } from './judge.mts';

// Deliveries made from genuine ones: what is signed, with what, and what is changed afterwards.

export const CURRENT = 'whsec-current-secret-of-the-credential';
export const PREVIOUS = ['whsec-previous-secret', 'whsec-the-oldest-secret'];
/** Seconds. */
export const MAXIMUM_AGE = 300;

/** What the sender signs, and with which secret. */
interface Letter {
	secret: string;
	timestamp: string;
	body: Buffer;
}

type Change<Value> = (value: Value, now: number) => Value;

const hmac = (key: string, ...parts: Array<string | Buffer>) =>
	parts.reduce((hash, part) => hash.update(part), createHmac('sha256', key)).digest('hex');

const text = fc.string({ unit: 'binary', maxLength: 20 });
const payload = fc.record({
	extra: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
	requestId: fc.uuid(),
	shareStatus: fc.constantFrom('open', 'completed', 'paused', null, undefined),
	webhookIdentifier: fc.oneof(text, fc.constantFrom(null, undefined)),
});
const units: Array<(time: number) => string> = [
	(time) => String(Math.floor(time / 1000)),
	String,
	(time) => `${time}125`,
	(time) => `${time}125250`,
	(time) => new Date(time).toISOString(),
	(time) => new Date(time).toISOString().replace(/\.\d+/, ''),
];
const spellings: Array<(value: object) => string> = [
	(value) => JSON.stringify(value),
	(value) => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
	(value) => `\uFEFF ${JSON.stringify(value).replaceAll('/', '\\/')}\n`,
];

const genuine = fc
	.tuple(
		payload,
		fc.constantFrom(...units),
		fc.constantFrom(...spellings),
		fc.constantFrom(CURRENT, CURRENT, ...PREVIOUS),
	)
	.map(([{ extra, ...fields }, unit, spell, secret]) => (now: number): Letter => {
		const event = 'collection_request.updated';
		const body = Buffer.from(spell({ ...extra, event, ...fields, timestamp: String(now) }));
		return { secret, timestamp: unit(now), body };
	});

const secrets = [
	'',
	'whsec-foreign-secret-of-another-credential',
	`${CURRENT}\n`,
	` ${CURRENT}`,
	CURRENT.toUpperCase(),
	CURRENT.slice(1),
	CURRENT + CURRENT,
	// HMAC pads short keys with zeros, so this is the same key.
	PREVIOUS.join('\n'),
	'undefined',
	`${CURRENT}\0`,
];
const limit = MAXIMUM_AGE * 1000;
const age = fc.oneof(
	fc.integer({ min: -4 * limit, max: 4 * limit }),
	fc.constantFrom(-limit - 1, -limit, limit, limit + 1, 31_557_600_000),
);
const oddTimes: Array<(now: number) => string> = [
	...['', '0', '1', 'NaN', '1'.repeat(20), '9'.repeat(19)].map((time) => () => time),
	(now) => `0${now}`,
	(now) => `+${now}`,
	(now) => `${now}.5`,
	(now) => `${now} `,
	(now) => `${now}\n`,
	(now) => `${now}, ${now}`,
	(now) => `0x${now.toString(16)}`,
	(now) => new Date(now).toISOString().replace('Z', '+00:00'),
	(now) => new Date(now).toISOString().replace('Z', ''),
	(now) => `${new Date(now).toISOString()}.5`,
	(now) => new Date(now).toISOString().toLowerCase(),
];
const bodies: Array<(json: string) => string | Buffer> = [
	...['', '   ', 'null', '[]', '"x"', '{}', '{"event":"a"}', '{"requestId":"1"}'].map(
		(body) => () => body,
	),
	(json) => json + json,
	(json) => json.slice(0, json.length / 2),
	(json) => Buffer.from(json, 'utf16le'),
	(json) => Buffer.concat([Buffer.from(json), Buffer.from([0])]),
	(json) => Buffer.from(json.replace(/\}\s*$/, ',"note":"ÿ"}'), 'latin1'),
	(json) => json.replace(/\}\s*$/, ',"requestId":5}'),
	(json) => json.replace(/\}\s*$/, ',"event":"share.deleted"}'),
	(json) => json.replace('{', '{"__proto__":{"event":"x"},"constructor":{"prototype":1},'),
	(json) => json.replace(/\}\s*$/, `,"deep":${'['.repeat(300)}${']'.repeat(300)}}`),
	(json) => json + ' '.repeat(1024 * 1024),
];

/** Changes before the letter is signed, so that the signature stays right. */
const before: fc.Arbitrary<Change<Letter>> = fc.oneof(
	fc.constantFrom(...secrets).map((secret) => (letter: Letter) => ({ ...letter, secret })),
	fc.tuple(age, fc.constantFrom(...units)).map(([old, unit]) => (letter: Letter, now: number) => {
		return { ...letter, timestamp: unit(now - old) };
	}),
	fc.constantFrom(...oddTimes).map((write) => (letter: Letter, now: number) => {
		return { ...letter, timestamp: write(now) };
	}),
	fc.constantFrom(...bodies).map((write) => (letter: Letter) => {
		return { ...letter, body: Buffer.from(write(letter.body.toString())) };
	}),
);

const signatures: Array<(right: string, arrived: Arrived) => string> = [
	() => '',
	() => '0'.repeat(64),
	(right) => right.toUpperCase(),
	(right) => `sha256=${right}`,
	(right) => `${right}, ${right}`,
	(right) => ` ${right}`,
	(right) => right.slice(0, 63),
	(right) => `${right}0`,
	(right) => Buffer.from(right, 'hex').toString('base64'),
	(_right, { body }) => hmac(CURRENT, body),
	(_right, { body, headers }) => hmac(CURRENT, headers['x-svc-timestamp'] ?? '', body),
	(_right, { body, headers }) => hmac(CURRENT, `${headers['x-svc-timestamp']}:`, body),
	(_right, { body }) => createHash('sha256').update(CURRENT).update(body).digest('hex'),
];

const resigned = (write: (right: string, arrived: Arrived) => string) => (arrived: Arrived) => {
	const signature = write(arrived.headers['x-svc-signature'] ?? '', arrived);
	return { ...arrived, headers: { ...arrived.headers, 'x-svc-signature': signature } };
};
const retimed = (write: (time: string) => string) => (arrived: Arrived) => {
	const time = write(arrived.headers['x-svc-timestamp'] ?? '');
	return { ...arrived, headers: { ...arrived.headers, 'x-svc-timestamp': time } };
};

/** Changes after it was signed, on the way. */
const after: fc.Arbitrary<Change<Arrived>> = fc.oneof(
	fc.constantFrom(...signatures).map(resigned),
	fc
		.tuple(fc.nat(63), fc.constantFrom(...'0123456789abcdefG '))
		.map(([at, digit]) => resigned((right) => right.slice(0, at) + digit + right.slice(at + 1))),
	fc.constantFrom('', '0', '.', '000', ' 1').map((end) => retimed((time) => time + end)),
	fc.integer({ min: -2, max: 2 }).map((more) => retimed((time) => String(Number(time) + more))),
	fc.nat().map((bit) => ({ headers, body }: Arrived) => {
		const changed = Buffer.from(body);
		const index = Math.floor(bit / 8) % Math.max(1, changed.length);
		if (changed.length > 0) changed[index] = (changed[index] ?? 0) ^ (1 << (bit % 8));
		return { headers, body: changed };
	}),
	fc.constantFrom(' ', '\n', '\0').map((more) => ({ headers, body }: Arrived) => {
		return { headers, body: Buffer.concat([body, Buffer.from(more)]) };
	}),
	// The same bytes are signed if the dot is elsewhere.
	fc.constant(({ headers, body }: Arrived) => {
		const dot = body.indexOf('.');
		const timestamp = `${headers['x-svc-timestamp']}.${body.subarray(0, dot).toString()}`;
		return { headers: { ...headers, 'x-svc-timestamp': timestamp }, body: body.subarray(dot + 1) };
	}),
	fc
		.constantFrom('x-svc-signature', 'x-svc-timestamp')
		.map((name) => ({ headers, body }: Arrived) => {
			const others = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
			return { headers: others, body };
		}),
);

const some = <Value,>(changes: fc.Arbitrary<Change<Value>>) =>
	fc.oneof(fc.constant([]), fc.array(changes, { maxLength: 2 }));

/** A delivery that arrives at this time in milliseconds: genuine, or changed in up to four places. */
export const deliveries: fc.Arbitrary<(now: number) => Arrived> = fc
	.tuple(genuine, some(before), some(after))
	.map(([write, early, late]) => (now: number) => {
		const letter = early.reduce((changed, change) => change(changed, now), write(now));
		const { secret, timestamp, body } = letter;
		const signature = hmac(secret, `${timestamp}.`, body);
		const headers = { 'x-svc-timestamp': timestamp, 'x-svc-signature': signature };
		return late.reduce((changed: Arrived, change) => change(changed, now), { headers, body });
	});
