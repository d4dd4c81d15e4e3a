import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	createRedactor,
	isInheritedName,
	removeHarmfulFields,
} from '../../nodes/DataCollection/service/redact.ts';

const parseObject = (text: string) => JSON.parse(text) as IDataObject;
const hideIn = (item: IDataObject, secrets: string[]) => createRedactor(secrets).item(item);
const hideSecrets = (text: string, secrets: string[]) => createRedactor(secrets).text(text);

const INHERITED = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'];

/** Every key of a value, at every depth. */
function keysOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
}

test('of any JSON, no inherited name is left at any depth, and everything else stays as it is', () => {
	const key = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...INHERITED));
	const any = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
	const hostile = '{"__proto__":{"polluted":1},"a":[{"constructor":1,"b":{"toString":1,"c":2}}]}';
	expect(removeHarmfulFields(parseObject(hostile))).toEqual({ a: [{ b: { c: 2 } }] });
	expect('polluted' in {}).toBe(false);
	fc.assert(
		fc.property(any, (object) => {
			const text = JSON.stringify(object);
			const left = removeHarmfulFields(parseObject(text));
			expect(keysOf(left).filter(isInheritedName)).toEqual([]);
			fc.pre(!keysOf(parseObject(text)).some(isInheritedName));
			expect(JSON.stringify(hideIn(left, ['a secret of no interest']))).toBe(text);
		}),
	);
});

test('the copy shares nothing with the original', () => {
	const original = { list: [{ a: 1 }] };
	const copy = hideIn(original, []);
	original.list.push({ a: 2 });
	expect(copy).toEqual({ list: [{ a: 1 }] });
});

test('fields of the credential are left out at every depth, under any case, whatever they hold', () => {
	const value = {
		webhookSecret: 'x',
		a: { webhookSecret: 1, b: [{ webhookSecret: null, c: 1 }] },
		headers: { Authorization: 'Bearer k', tokenid: '1042', accept: '*/*' },
		request: [{ authorization: 'Bearer k', tokenId: 1042 }],
	};
	const left = { a: { b: [{ c: 1 }] }, headers: { accept: '*/*' }, request: [{}] };
	expect(removeHarmfulFields(value)).toEqual(left);
});

test('secrets are hidden in texts and names, at every depth', () => {
	const value = {
		'X-key-1234567890abc': ['Bearer key-1234567890abc'],
		a: { b: 'token-12345678 and key-1234567890abc' },
	};
	expect(hideIn(value, ['key-1234567890abc', 'token-12345678'])).toEqual({
		'X-(hidden)': ['Bearer (hidden)'],
		a: { b: '(hidden) and (hidden)' },
	});
});

test.each([
	['shorter than 8 characters are left', 'an opening text', ['opening'], 'an opening text'],
	['of 8 are hidden', 'an opening1 text', ['opening1'], 'an (hidden) text'],
	[
		'that contain one another are hidden whole',
		'12345678-and-more, 12345678',
		['12345678', '12345678-and-more'],
		'(hidden), (hidden)',
	],
	['are taken literally', 'a $&.*+?^[](){}| b', ['$&.*+?^[](){}|'], 'a (hidden) b'],
])('secrets %s', (_title, text, secrets, shown) => {
	expect(hideSecrets(text, secrets)).toBe(shown);
	expect(hideSecrets(text, secrets.toReversed())).toBe(shown);
});

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inForm = (text: string) => String(new URLSearchParams({ '': text })).slice(1);
const inBase64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');
const inBase64Url = (text: string) => Buffer.from(text).toString('base64url');

const ENCODINGS: Array<[form: string, encode: (secret: string) => string]> = [
	['as it is', (text) => text],
	['percent-encoded', encodeURIComponent],
	['form-encoded', inForm],
	['in JSON', inJson],
	['in base64', inBase64],
	['in base64url', inBase64Url],
];

test.each(ENCODINGS)('a secret %s is hidden, whatever it is made of', (_form, encode) => {
	const secrets = fc
		.string({ minLength: 8, maxLength: 40 })
		.filter((secret) => secret.trim() === secret);
	fc.assert(
		fc.property(secrets, (secret) => {
			const text = `before ${encode(secret)} after`;
			expect(hideSecrets(text, [secret])).toBe('before (hidden) after');
		}),
		{ examples: [['k/3y "of" <Zoë> & \\ O\'Neil+?']] },
	);
});

test('a secret of 16 or more characters is hidden in each of these forms, whatever is beside it', () => {
	const secret = fc.string({ minLength: 16, maxLength: 60 }).filter((text) => text.trim() === text);
	const encoding = fc.constantFrom(...ENCODINGS);
	const beside = fc.string({ unit: 'binary', maxLength: 20 });
	fc.assert(
		fc.property(secret, encoding, beside, beside, (text, [, encode], before, after) => {
			const item = { [`${before}${encode(text)}`]: [`${before}${encode(text)}${after}`] };
			const shown = JSON.stringify(hideIn(item, ['another secret', text]));
			expect(shown).not.toContain(inJson(encode(text)));
		}),
	);
});

describe('a secret of 8 to 15 characters, such as acme-corp,', () => {
	test('is hidden where it stands alone, also in a URL, in JSON inside JSON, or encoded', () => {
		const before = ['', ...' :=+">(“', '\\"', '\\n', '%22', '%3D', '\\u0022'];
		const after = ['', ...' ,.)&#"<”', '\r\n', '\\"', '\\n', '%22', '\\u0022'];
		for (const text of before.flatMap((one) => after.map((other) => `${one}acme-corp${other}`))) {
			const shown = text.replace('acme-corp', '(hidden)');
			expect(hideIn({ [text]: text }, ['acme-corp'])).toEqual({ [shown]: shown });
		}
	});

	test.each([...'@./-~_é2'])(
		'is data where it is a part of something longer: x%sacme-corp',
		(sign) => {
			const item = { text: `x${sign}acme-corp` };
			expect(hideIn(item, ['acme-corp'])).toEqual(item);
		},
	);

	test.each([...'@+/-_~é2', '%40', '.', ':', ':8'])('and so is acme-corp%sx', (sign) => {
		const item = { text: `acme-corp${sign}x` };
		expect(hideIn(item, ['acme-corp'])).toEqual(item);
	});

	test('is hidden in base64, whatever is beside it', () => {
		for (const encode of [inBase64, inBase64Url]) {
			expect(hideSecrets(`x${encode('acme-corp')}y`, ['acme-corp'])).toBe('x(hidden)y');
		}
	});

	test('as a number: hidden as a whole, and left in an address', () => {
		const others = {
			email: '1234567890@example.com',
			numbers: [1234567890.5, 123456789, -1234567],
		};
		const item = { id: 1234567890, text: 'ID 1234567890', ...others, short: 7 };
		const left = { id: '(hidden)', text: 'ID (hidden)', ...others, short: 7 };
		expect(hideIn(item, ['1234567890', '7'])).toEqual(left);
	});
});

test('what is beside an encoded secret stays as it is', () => {
	const secret = 'k/3y of Zoë Example';
	const text = `%41 é+ü 100 % ${encodeURIComponent(secret)}%zz%E9\ud800${inForm(secret)}%`;
	expect(hideSecrets(text, [secret])).toBe('%41 é+ü 100 % (hidden)%zz%E9\ud800(hidden)%');
});

test('an encoded secret that contains another one is hidden whole', () => {
	const secrets = ['a/b c/d e', 'x"a/b c/d e"y'];
	for (const encode of [inJson, encodeURIComponent, inForm]) {
		for (const given of [secrets, secrets.toReversed()]) {
			expect(hideSecrets(`100 % ${encode('x"a/b c/d e"y')}`, given)).toBe('100 % (hidden)');
		}
	}
});

test('a text without a secret stays as it is, whatever the secrets are', () => {
	fc.assert(
		fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 30 })), (secrets) => {
			const text = 'The minimum is above the maximum';
			const isIn = secrets.some((secret) => secret.length >= 8 && text.includes(secret));
			expect(hideSecrets(text, secrets) === text).toBe(!isIn);
		}),
	);
});
