import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { isSignedBy } from '../../nodes/DataCollection/service/signature.ts';

// What is changed on the way, and other ways to write a signature: see fuzz.test.mts.

const SECRET = 'a secret of the credential';
const TIMESTAMP = '1700000000000';
const BODY = Buffer.from('{"event":"collection_request.updated"}');

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const secret = fc
	.oneof(fc.string({ minLength: 1, unit: 'binary' }), bytes)
	.filter(({ length }) => length > 0);

/** A message as the service signs it. */
function signed(key: Buffer | string = SECRET, timestamp = TIMESTAMP, body = BODY) {
	const hash = createHmac('sha256', key).update(`${timestamp}.`).update(body);
	return { timestamp, body, signature: hash.digest('hex') };
}

test('the timestamp, a dot and the bytes of the body are signed', () => {
	fc.assert(
		fc.property(secret, fc.string({ unit: 'grapheme' }), bytes, (key, timestamp, body) => {
			expect(isSignedBy([key], signed(key, timestamp, body))).toBe(true);
		}),
	);
});

test.each([
	['decoded: invalid UTF-8', [0x22, 0xff, 0x22], [0x22, 0xfe, 0x22]],
	['normalised: a byte order mark', [0xef, 0xbb, 0xbf, ...BODY], [...BODY]],
])('the body is not %s', (_title, first, second) => {
	const [body, other] = [Buffer.from(first), Buffer.from(second)];
	const message = signed(SECRET, TIMESTAMP, body);
	expect(isSignedBy([SECRET], message)).toBe(true);
	expect(isSignedBy([SECRET], { ...message, body: other })).toBe(false);
});

test('an empty secret never matches', () => {
	expect(isSignedBy(['', Buffer.alloc(0)], signed(''))).toBe(false);
});

/** Other characters that a Buffer turns into the same bytes when writing Latin-1. */
const beyondLatin1 = (text: string) =>
	text.replace(/./g, (character) => String.fromCharCode(0x100 + character.charCodeAt(0)));

test.each([
	['characters whose last byte is the right one', beyondLatin1(signed().signature)],
	['64 bytes that are 32 characters', 'é'.repeat(32)],
	['a last character that is no ASCII', `${signed().signature.slice(0, 63)}é`],
])('a signature that only some comparisons take for the right one: %s', (_title, signature) => {
	expect(isSignedBy([SECRET], { ...signed(), signature })).toBe(false);
});
