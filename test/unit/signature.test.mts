import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { isSignedBy } from '../../nodes/DataCollection/webhook/verifyDelivery.ts';

const SECRET = 'a secret of the credential';
const TIMESTAMP = '1700000000000';
const BODY = Buffer.from('{"event":"collection_request.updated"}');

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const secret = fc
	.oneof(fc.string({ minLength: 1, unit: 'binary' }), bytes)
	.filter(({ length }) => length > 0);

const hmac = (key: Buffer | string, ...parts: Array<Buffer | string>) =>
	parts.reduce((hash, part) => hash.update(part), createHmac('sha256', key)).digest('hex');

/** A message as the service signs it. */
const signed = (key: Buffer | string = SECRET, timestamp = TIMESTAMP, body = BODY) => ({
	timestamp,
	body,
	signature: hmac(key, `${timestamp}.`, body),
});

function flipBit(buffer: Buffer, bit: number): Buffer {
	const flipped = Buffer.from(buffer);
	const index = Math.floor(bit / 8) % flipped.length;
	flipped[index] = (flipped[index] ?? 0) ^ (1 << bit % 8);
	return flipped;
}

describe('the signed string', () => {
	test('is the timestamp, a dot and the bytes of the body', () => {
		fc.assert(
			fc.property(secret, fc.string({ unit: 'grapheme' }), bytes, (key, timestamp, body) => {
				expect(isSignedBy([key], signed(key, timestamp, body))).toBe(true);
			}),
		);
	});

	test.each([
		['is not decoded: invalid UTF-8', [0x22, 0xff, 0x22], [0x22, 0xfe, 0x22]],
		['is not normalised: a byte order mark', [0xef, 0xbb, 0xbf, ...BODY], [...BODY]],
	])('%s', (_title, first, second) => {
		const [body, other] = [Buffer.from(first), Buffer.from(second)];
		const message = signed(SECRET, TIMESTAMP, body);
		expect(isSignedBy([SECRET], message)).toBe(true);
		expect(isSignedBy([SECRET], { ...message, body: other })).toBe(false);
	});
});

const flipText = (text: string, encoding: 'latin1' | 'hex', bit: number) =>
	flipBit(Buffer.from(text, encoding), bit).toString(encoding);

test.each<[string, (message: ReturnType<typeof signed>, bit: number) => object]>([
	['body', ({ body }, bit) => ({ body: flipBit(body, bit) })],
	['timestamp', ({ timestamp }, bit) => ({ timestamp: flipText(timestamp, 'latin1', bit) })],
	['signature', ({ signature }, bit) => ({ signature: flipText(signature, 'hex', bit) })],
])('one flipped bit in the %s is refused', (_part, change) => {
	const digits = fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }).map(String);
	const filled = bytes.filter(({ length }) => length > 0);
	fc.assert(
		fc.property(secret, digits, filled, fc.nat(), (key, timestamp, body, bit) => {
			const message = signed(key, timestamp, body);
			expect(isSignedBy([key], { ...message, ...change(message, bit) })).toBe(false);
		}),
	);
});

describe('the secrets', () => {
	test('match in any position of the list', () => {
		fc.assert(
			fc.property(fc.array(secret), fc.array(secret), secret, (before, after, right) => {
				expect(isSignedBy([...before, right, ...after], signed(right))).toBe(true);
			}),
		);
	});

	test('do not match when the right one is not among them', () => {
		expect(isSignedBy([], signed())).toBe(false);
		expect(isSignedBy([`${SECRET}\n`, 'another', SECRET.toUpperCase()], signed())).toBe(false);
	});

	test('never match when empty', () => {
		expect(isSignedBy(['', Buffer.alloc(0)], signed(''))).toBe(false);
	});

	test('are told apart by their Unicode form', () => {
		const message = signed('Zürich'.normalize('NFC'));
		expect(isSignedBy(['Zürich'.normalize('NFC')], message)).toBe(true);
		expect(isSignedBy(['Zürich'.normalize('NFD')], message)).toBe(false);
	});
});

/** Other characters that a Buffer turns into the same bytes when writing Latin-1. */
const beyondLatin1 = (text: string) =>
	text.replace(/./g, (character) => String.fromCharCode(0x100 + character.charCodeAt(0)));

const fullwidth = (text: string) =>
	text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));

describe('another way to write the right signature is refused', () => {
	const right = signed().signature;
	const start = right.slice(0, 63);

	// More forgeries: FORGED, which the trigger and Verify refuse, and test/support/mutations.mts.
	test.each([
		['mixed case', right.replace(/[a-f]/, (letter) => letter.toUpperCase())],
		['base64', Buffer.from(right, 'hex').toString('base64')],
		['63 characters', start],
		['65 characters', `${right}0`],
		['a space after', `${right} `],
		['twice, as Node joins two headers', `${right}, ${right}`],
		['fullwidth digits', fullwidth(right)],
		['characters whose last byte is the right one', beyondLatin1(right)],
		['one such character', `${start}${beyondLatin1(right.slice(63))}`],
		['64 bytes that are 32 characters', 'é'.repeat(32)],
		['a last character that is no ASCII', `${start}é`],
	])('%s', (_title, signature) => {
		expect(isSignedBy([SECRET], { ...signed(), signature })).toBe(false);
	});
});

test('nothing random is right, and nothing throws', () => {
	const any = fc.string({ unit: 'binary' });
	fc.assert(
		fc.property(fc.array(any), any, any, bytes, (secrets, timestamp, signature, body) => {
			expect(isSignedBy(secrets, { timestamp, body, signature })).toBe(false);
		}),
	);
});
