import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { isHmacOf, isSignedBy } from '../../nodes/DataCollection/webhook/signature.ts';

const SECRET = 'a secret of the credential';
const TIMESTAMP = '1700000000000';
const BODY = Buffer.from('{"event":"collection_request.updated"}');

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const secret = fc
	.oneof(fc.string({ minLength: 1, unit: 'binary' }), bytes)
	.filter((s) => s.length > 0);
const timestamp = fc.string({ unit: 'grapheme' });

const sign = (key: Buffer | string, time: string, body: Buffer) =>
	createHmac('sha256', key)
		.update(Buffer.concat([Buffer.from(`${time}.`), body]))
		.digest('hex');

function flipBit(buffer: Buffer, bit: number): Buffer {
	const flipped = Buffer.from(buffer);
	const index = Math.floor(bit / 8) % flipped.length;
	flipped[index] = (flipped[index] ?? 0) ^ (1 << bit % 8);
	return flipped;
}

describe('the signed string', () => {
	test('is the timestamp, a dot and the bytes of the body', () => {
		fc.assert(
			fc.property(secret, timestamp, bytes, (key, time, body) => {
				const signature = sign(key, time, body);
				expect(isSignedBy([key], { timestamp: time, body, signature })).toBe(true);
			}),
		);
	});

	test('is hashed the same in one part or in many', () => {
		fc.assert(
			fc.property(secret, fc.array(bytes), (key, parts) => {
				const tag = createHmac('sha256', key).update(Buffer.concat(parts)).digest('hex');
				expect(isHmacOf([key], tag, ...parts)).toBe(true);
			}),
		);
	});

	test('is not decoded: the invalid UTF-8 bytes 0xff and 0xfe are different bodies', () => {
		const [ff, fe] = [Buffer.from([0x22, 0xff, 0x22]), Buffer.from([0x22, 0xfe, 0x22])];
		const signature = sign(SECRET, TIMESTAMP, ff);
		expect(ff.toString()).toBe(fe.toString());
		expect(isSignedBy([SECRET], { timestamp: TIMESTAMP, body: ff, signature })).toBe(true);
		expect(isSignedBy([SECRET], { timestamp: TIMESTAMP, body: fe, signature })).toBe(false);
	});

	test('is not normalised: a byte order mark belongs to the body', () => {
		const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), BODY]);
		const signature = sign(SECRET, TIMESTAMP, marked);
		expect(isSignedBy([SECRET], { timestamp: TIMESTAMP, body: marked, signature })).toBe(true);
		expect(isSignedBy([SECRET], { timestamp: TIMESTAMP, body: BODY, signature })).toBe(false);
	});

	test('does not match over the body alone, another separator or JSON serialised anew', () => {
		const body = Buffer.from('{ "event": "x" }');
		const others = [
			createHmac('sha256', SECRET).update(body).digest('hex'),
			createHmac('sha256', SECRET).update(`${TIMESTAMP}:`).update(body).digest('hex'),
			sign(SECRET, TIMESTAMP, Buffer.from(JSON.stringify(JSON.parse(body.toString())))),
		];
		for (const signature of others) {
			expect(isSignedBy([SECRET], { timestamp: TIMESTAMP, body, signature })).toBe(false);
		}
	});
});

describe('one flipped bit is refused', () => {
	test('in the body', () => {
		const filled = bytes.filter(({ length }) => length > 0);
		fc.assert(
			fc.property(secret, timestamp, filled, fc.nat(), (key, time, body, bit) => {
				const signature = sign(key, time, body);
				const message = { timestamp: time, body: flipBit(body, bit), signature };
				expect(isSignedBy([key], message)).toBe(false);
			}),
		);
	});

	test('in the timestamp', () => {
		const digits = fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }).map(String);
		fc.assert(
			fc.property(secret, digits, bytes, fc.nat(), (key, time, body, bit) => {
				const signature = sign(key, time, body);
				const other = flipBit(Buffer.from(time, 'latin1'), bit).toString('latin1');
				expect(isSignedBy([key], { timestamp: other, body, signature })).toBe(false);
			}),
		);
	});

	test('in the signature', () => {
		fc.assert(
			fc.property(secret, timestamp, bytes, fc.nat(), (key, time, body, bit) => {
				const right = Buffer.from(sign(key, time, body), 'hex');
				const signature = flipBit(right, bit).toString('hex');
				expect(isSignedBy([key], { timestamp: time, body, signature })).toBe(false);
			}),
		);
	});
});

describe('the secrets', () => {
	test('match in any position of the list', () => {
		fc.assert(
			fc.property(fc.array(secret), fc.array(secret), secret, (before, after, right) => {
				const signature = sign(right, TIMESTAMP, BODY);
				const message = { timestamp: TIMESTAMP, body: BODY, signature };
				expect(isSignedBy([...before, right, ...after], message)).toBe(true);
			}),
		);
	});

	test('do not match when the right one is not among them', () => {
		const signature = sign(SECRET, TIMESTAMP, BODY);
		const message = { timestamp: TIMESTAMP, body: BODY, signature };
		expect(isSignedBy([], message)).toBe(false);
		expect(isSignedBy([`${SECRET}\n`, 'another', SECRET.toUpperCase()], message)).toBe(false);
	});

	test('never match when empty', () => {
		const signature = createHmac('sha256', '').update(`${TIMESTAMP}.`).update(BODY).digest('hex');
		const message = { timestamp: TIMESTAMP, body: BODY, signature };
		expect(isSignedBy(['', Buffer.alloc(0)], message)).toBe(false);
	});

	test('are told apart by their Unicode form', () => {
		const signature = sign('Zürich'.normalize('NFC'), TIMESTAMP, BODY);
		const message = { timestamp: TIMESTAMP, body: BODY, signature };
		expect(isSignedBy(['Zürich'.normalize('NFC')], message)).toBe(true);
		expect(isSignedBy(['Zürich'.normalize('NFD')], message)).toBe(false);
	});

	test.each([
		['1 byte', 'x'],
		['64 bytes, the block size', 'x'.repeat(64)],
		['65 bytes', 'x'.repeat(65)],
		['200 bytes', 'x'.repeat(200)],
		['with spaces', ' a b '],
		['hexadecimal', 'deadbeef'],
		['an expression of n8n', '={{ 1 }}'],
	])('are used as they are: %s', (_title, key) => {
		const signature = sign(key, TIMESTAMP, BODY);
		expect(isSignedBy([key], { timestamp: TIMESTAMP, body: BODY, signature })).toBe(true);
	});
});

/** Other characters that a Buffer, told to write Latin-1, turns into the same bytes. */
const beyondLatin1 = (text: string) =>
	text.replace(/./g, (character) => String.fromCharCode(0x100 + character.charCodeAt(0)));

describe('another way to write the right signature is refused', () => {
	const right = sign(SECRET, TIMESTAMP, BODY);
	const base64 = Buffer.from(right, 'hex').toString('base64');

	test.each([
		['upper case', right.toUpperCase()],
		['mixed case', right.replace(/[a-f]/, (letter) => letter.toUpperCase())],
		['prefix sha256=', `sha256=${right}`],
		['prefix v1=', `v1=${right}`],
		['base64', base64],
		['base64url', Buffer.from(right, 'hex').toString('base64url')],
		['63 characters', right.slice(0, 63)],
		['65 characters', `${right}0`],
		['128 characters', right + right],
		['32 characters', right.slice(0, 32)],
		['a space before', ` ${right}`],
		['a space after', `${right} `],
		['a line break after', `${right}\n`],
		['padded', `${right}==`],
		['twice, as Node joins two headers', `${right}, ${right}`],
		['empty', ''],
		[
			'fullwidth digits',
			right.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
		],
		['characters whose last byte is the right one', beyondLatin1(right)],
		['one such character', `${right.slice(0, 63)}${beyondLatin1(right.slice(63))}`],
		['64 bytes that are 32 characters', 'é'.repeat(32)],
		['a last character that is no ASCII', `${right.slice(0, 63)}é`],
	])('%s', (_title, signature) => {
		expect(isSignedBy([SECRET], { timestamp: TIMESTAMP, body: BODY, signature })).toBe(false);
	});
});

test('never throws, whatever the texts are', () => {
	const any = fc.string({ unit: 'binary' });
	fc.assert(
		fc.property(fc.array(any), any, any, bytes, (secrets, time, signature, body) => {
			expect(isSignedBy(secrets, { timestamp: time, body, signature })).toBe(false);
		}),
	);
});
