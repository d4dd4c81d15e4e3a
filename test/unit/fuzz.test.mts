import fc from 'fast-check';
import { createHash, createHmac } from 'node:crypto';
import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { verifyDelivery } from '../../nodes/DataCollection/service/signature.ts';
import { replay } from '../support/random.mts';

// Deliveries made from genuine ones: what is signed, with what, and what is changed on the way.

const CURRENT = 'whsec-current-secret-of-the-credential';
const PREVIOUS = ['whsec-previous-secret', 'whsec-the-oldest-secret'];
const SECRETS = [CURRENT, ...PREVIOUS];
const NOW = 1_790_000_000_000;
clock.now = () => NOW;
/** Seconds. */
const MAXIMUM_AGE = 300;

/** What the sender signs, and with which secret. */
interface Letter {
	secret: string;
	timestamp: string;
	body: Buffer;
}

/** What reached the receiver. */
interface Arrived {
	headers: Record<string, string>;
	body: Buffer;
}

const hmac = (key: string, ...parts: Array<string | Buffer>) =>
	parts.reduce((hash, part) => hash.update(part), createHmac('sha256', key)).digest('hex');

/**
 * How a receiver must respond, by docs/service-api.md (Delivery, Payload, Signature) and
 * docs/trigger.md alone. It shares no code with the package.
 */
function judge({ headers, body }: Arrived): string {
	if (body.length > 1024 * 1024) return 'tooLarge';
	const { 'x-svc-timestamp': timestamp = '', 'x-svc-signature': signature = '' } = headers;
	const time = millisecondsOf(timestamp);
	const right = SECRETS.map((key) => hmac(key, `${timestamp}.`, body));
	if (time === undefined || !right.includes(signature)) return 'unverified';
	const age = BigInt(NOW) - time;
	const limit = BigInt(MAXIMUM_AGE * 1000);
	if (age > limit || age < -limit) return 'unverified';
	return isNotification(body) ? 'accepted' : 'malformed';
}

/**
 * Of ISO 8601 in UTC, or by the number of digits: up to 11 seconds, 12-14 milliseconds, 15-17 micro-,
 * 18-19 nanoseconds.
 */
function millisecondsOf(timestamp: string): bigint | undefined {
	if (/^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]+)?(Z|\+00:00)$/.test(timestamp)) {
		const milliseconds = Date.parse(timestamp);
		return Number.isNaN(milliseconds) ? undefined : BigInt(milliseconds);
	}
	if (!/^[1-9][0-9]{0,18}$/.test(timestamp) || timestamp.includes('\n')) return undefined;
	if (timestamp.length < 12) return BigInt(timestamp) * 1000n;
	if (timestamp.length < 15) return BigInt(timestamp);
	return BigInt(timestamp) / (timestamp.length < 18 ? 1000n : 1_000_000n);
}

function isNotification(body: Buffer): boolean {
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder('utf-8').decode(body));
	} catch {
		return false;
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const { event, requestId, shareStatus, webhookIdentifier } = { __proto__: null, ...value } as {
		[name: string]: unknown;
	};
	const isFilled = [event, requestId].every((one) => typeof one === 'string' && one !== '');
	const isText = (one: unknown) => ['string', 'undefined'].includes(typeof (one ?? undefined));
	return isFilled && isText(shareStatus) && isText(webhookIdentifier);
}

const text = fc.string({ unit: 'binary', maxLength: 20 });
const payload = fc.record({
	extra: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
	requestId: fc.uuid(),
	shareStatus: fc.constantFrom('open', 'completed', 'paused', null, undefined),
	webhookIdentifier: fc.oneof(text, fc.constantFrom(null, undefined)),
});
const timestamp = fc.constantFrom<Array<(time: number) => string>>(
	(time) => String(Math.floor(time / 1000)),
	String,
	(time) => `${time}125`,
	(time) => `${time}125250`,
	(time) => new Date(time).toISOString(),
	(time) => new Date(time).toISOString().replace(/\.\d+/, ''),
	(time) => new Date(time).toISOString().replace('Z', '+00:00'),
);
const spelling = fc.constantFrom<Array<(value: object) => string>>(
	(value) => JSON.stringify(value),
	(value) => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
	(value) => `\uFEFF ${JSON.stringify(value).replaceAll('/', '\\/')}\n`,
);
const genuine = fc
	.tuple(payload, timestamp, spelling, fc.constantFrom(CURRENT, ...SECRETS))
	.map(([{ extra, ...fields }, unit, spell, secret]): Letter => {
		const event = 'collection_request.updated';
		const body = Buffer.from(spell({ ...extra, event, ...fields, timestamp: String(NOW) }));
		return { secret, timestamp: unit(NOW), body };
	});

const secret = fc.constantFrom(
	'',
	'whsec-foreign-secret-of-another-credential',
	`${CURRENT}\n`,
	` ${CURRENT}`,
	CURRENT.toUpperCase(),
	CURRENT.slice(1),
	CURRENT + CURRENT,
	PREVIOUS.join('\n'),
	'undefined',
	// HMAC pads short keys with zeros, so this is the same key.
	`${CURRENT}\0`,
);
const limit = MAXIMUM_AGE * 1000;
const age = fc.oneof(
	fc.integer({ min: -4 * limit, max: 4 * limit }),
	fc.constantFrom(-limit - 1, -limit, limit, limit + 1, 31_557_600_000),
);
const iso = new Date(NOW).toISOString();
const oddTime = fc.constantFrom(
	...['', '0', '1', 'NaN', '1'.repeat(20), '9'.repeat(19), `0${NOW}`, `+${NOW}`, `${NOW}.5`],
	...[`${NOW} `, `${NOW}\n`, `${NOW}, ${NOW}`, `0x${NOW.toString(16)}`, iso.replace('Z', '')],
	...[iso.replace('Z', '+01:00'), iso.replace('Z', '+00:00Z'), `${iso}.5`, iso.toLowerCase()],
);
const endingWith = (more: string) => (json: string) => json.replace(/\}\s*$/, more);
const oddBody = fc.constantFrom<Array<(json: string) => string | Buffer>>(
	...['', '   ', 'null', '[]', '"x"', '{}', '{"event":"a"}', '{"requestId":"1"}'].map(
		(body) => () => body,
	),
	(json) => json + json,
	(json) => json.slice(0, json.length / 2),
	(json) => Buffer.from(json, 'utf16le'),
	(json) => `${json}\0`,
	(json) => Buffer.from(endingWith(',"note":"ÿ"}')(json), 'latin1'),
	endingWith(',"requestId":5}'),
	endingWith(',"event":"share.deleted"}'),
	(json) => json.replace('{', '{"__proto__":{"event":"x"},"constructor":{"prototype":1},'),
	endingWith(`,"deep":${'['.repeat(300)}${']'.repeat(300)}}`),
	(json) => json + ' '.repeat(1024 * 1024),
);

/** Changes before it is signed, so that the signature stays right. */
const before: fc.Arbitrary<(letter: Letter) => Partial<Letter>> = fc.oneof(
	secret.map((other) => () => ({ secret: other })),
	fc.tuple(age, timestamp).map(([old, unit]) => () => ({ timestamp: unit(NOW - old) })),
	oddTime.map((time) => () => ({ timestamp: time })),
	oddBody.map((write) => ({ body }: Letter) => ({ body: Buffer.from(write(body.toString())) })),
);

/** The header that is missing, if one is. */
type OnTheWay = Letter & { signature: string; missing?: string };

const at = (index: number, digit: string) => (right: string) =>
	right.slice(0, index) + digit + right.slice(index + 1);
const oddSignature = fc.oneof(
	fc.constantFrom<Array<(right: string, arrived: OnTheWay) => string>>(
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
		(_right, { body, timestamp: time }) => hmac(CURRENT, time, body),
		(_right, { body, timestamp: time }) => hmac(CURRENT, `${time}:`, body),
		(_right, { body }) => createHash('sha256').update(CURRENT).update(body).digest('hex'),
	),
	fc
		.tuple(fc.nat(63), fc.constantFrom(...'0123456789abcdefG '))
		.map(([index, digit]) => at(index, digit)),
);

/** Changes after it was signed. */
const after: fc.Arbitrary<(arrived: OnTheWay) => Partial<OnTheWay>> = fc.oneof(
	oddSignature.map((write) => (arrived: OnTheWay) => ({
		signature: write(arrived.signature, arrived),
	})),
	fc.constantFrom('', '0', '.', '000', ' 1').map((end) => (arrived: OnTheWay) => ({
		timestamp: arrived.timestamp + end,
	})),
	fc.integer({ min: -2, max: 2 }).map((more) => (arrived: OnTheWay) => ({
		timestamp: String(Number(arrived.timestamp) + more),
	})),
	fc.nat().map((bit) => ({ body }: OnTheWay) => {
		const changed = Buffer.from(body);
		const index = Math.floor(bit / 8) % Math.max(1, changed.length);
		if (changed.length > 0) changed[index] = (changed[index] ?? 0) ^ (1 << (bit % 8));
		return { body: changed };
	}),
	fc.constantFrom(' ', '\n', '\0').map((more) => ({ body }: OnTheWay) => ({
		body: Buffer.concat([body, Buffer.from(more)]),
	})),
	// The same bytes are signed if the dot is elsewhere.
	fc.constant(({ timestamp: time, body }: OnTheWay) => {
		const dot = body.indexOf('.');
		return {
			timestamp: `${time}.${body.subarray(0, dot).toString()}`,
			body: body.subarray(dot + 1),
		};
	}),
	fc.constantFrom('x-svc-signature', 'x-svc-timestamp').map((missing) => () => ({ missing })),
);

const some = <Change,>(changes: fc.Arbitrary<Change>) =>
	fc.oneof(fc.constant([]), fc.array(changes, { maxLength: 2 }));

/** A delivery that arrives now: genuine, or changed in up to four places. */
const deliveries = fc.tuple(genuine, some(before), some(after)).map(([first, early, late]) => {
	const letter = early.reduce((changed, change) => ({ ...changed, ...change(changed) }), first);
	const signature = hmac(letter.secret, `${letter.timestamp}.`, letter.body);
	const signed: OnTheWay = { ...letter, signature };
	const sent = late.reduce((changed, change) => ({ ...changed, ...change(changed) }), signed);
	const headers = { 'x-svc-timestamp': sent.timestamp, 'x-svc-signature': sent.signature };
	const present = Object.entries(headers).filter(([name]) => name !== sent.missing);
	return { headers: Object.fromEntries(present), body: sent.body };
});

test('5,000 deliveries: each is judged as by a verifier that shares no code with the package', () => {
	const counts = new Map<string, number>();
	const property = fc.property(deliveries, (arrived) => {
		const verified = { verificationSecrets: SECRETS };
		const found = verifyDelivery(arrived, verified, MAXIMUM_AGE);
		const outcome = found.ok ? 'accepted' : found.error.outcome;
		expect(outcome).toBe(judge(arrived));
		counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	});
	fc.assert(property, { numRuns: 5_000, ...replay });
	// The cases are of use only if each kind is among them.
	if (process.env.FUZZ === undefined) {
		for (const kind of ['accepted', 'unverified', 'malformed', 'tooLarge']) {
			expect([kind, (counts.get(kind) ?? 0) > 12]).toEqual([kind, true]);
		}
	}
}, 120_000);
