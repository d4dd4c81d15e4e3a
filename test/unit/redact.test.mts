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

test.each(INHERITED)('%s, which every object inherits, is left out at every depth', (name) => {
	const key = JSON.stringify(name);
	const hostile = `{${key}:{"polluted":1},"a":{${key}:1,"b":[{${key}:{"polluted":1},"c":2}]}}`;
	const left = removeHarmfulFields(parseObject(hostile));
	expect(JSON.stringify(left)).toBe('{"a":{"b":[{"c":2}]}}');
	expect(Object.getPrototypeOf(left)).toBe(Object.prototype);
	expect('polluted' in {}).toBe(false);
});

test('of any JSON, no inherited name is left, and everything else stays as it is', () => {
	const key = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...INHERITED));
	const any = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
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
const inBase64 = (encoding: 'base64' | 'base64url') => (text: string) =>
	Buffer.from(text).toString(encoding).replace(/=+$/, '');

const BASE64 = [inBase64('base64'), inBase64('base64url')];

test.each<[string, (secret: string) => string]>([
	['as it is', (text) => text],
	['percent-encoded', encodeURIComponent],
	['form-encoded', inForm],
	['in JSON', inJson],
	['in base64', inBase64('base64')],
	['in base64url', inBase64('base64url')],
])('a secret %s is hidden, whatever it is made of', (_form, encode) => {
	const expectHidden = (secret: string) =>
		expect(hideSecrets(`before ${encode(secret)} after`, [secret])).toBe('before (hidden) after');
	expectHidden('k/3y "of" <Zoë> & \\ O\'Neil+?');
	const noSpaceAround = fc
		.string({ minLength: 8, maxLength: 40 })
		.filter((secret) => secret.trim() === secret);
	fc.assert(fc.property(noSpaceAround, (secret) => void expectHidden(secret)));
});

test('a secret of 16 or more characters is hidden in each of these forms, whatever is beside it', () => {
	const encodings = [String, encodeURIComponent, inForm, inJson, ...BASE64];
	const secret = fc.string({ minLength: 16, maxLength: 60 }).filter((text) => text.trim() === text);
	const beside = fc.string({ unit: 'binary', maxLength: 20 });
	const encoding = fc.constantFrom(...encodings);
	fc.assert(
		fc.property(secret, encoding, beside, beside, (text, encode, before, after) => {
			const item = { [`${before}${encode(text)}`]: [`${before}${encode(text)}${after}`] };
			expect(JSON.stringify(hideIn(item, ['another secret', text]))).not.toContain(
				inJson(encode(text)),
			);
		}),
	);
});

describe('a secret of 8 to 15 characters, such as acme-corp,', () => {
	test.each([
		'acme-corp',
		'tokenId: acme-corp',
		'Bearer acme-corp\r\nAccept: */*',
		'tokenId=acme-corp',
		'https://api.example.com/?tokenId=acme-corp&a=1',
		'?q=Bearer+acme-corp#top',
		'{"tokenId":"acme-corp"}',
		'{\\"tokenId\\":\\"acme-corp\\"}',
		'{\\"a\\":\\"line\\nacme-corp\\n\\"}',
		'%22acme-corp%22',
		'tokenId%3Dacme-corp%26a',
		'\\u0022acme-corp\\u0022',
		'&quot;acme-corp&quot;',
		'<b>acme-corp</b>',
		'The token acme-corp, which is unknown',
		'Unknown token (acme-corp).',
		'Unknown token: acme-corp.',
		'“acme-corp”',
	])('is hidden where it stands alone: %s', (text) => {
		const shown = text.replace('acme-corp', '(hidden)');
		expect(hideSecrets(text, ['acme-corp'])).toBe(shown);
		expect(hideIn({ [text]: text }, ['acme-corp'])).toEqual({ [shown]: shown });
	});

	test.each([
		'x@acme-corp.com',
		'Ada <x@acme-corp.com>',
		'acme-corp@example.com',
		'acme-corp+ada@example.com',
		'ada+acme-corp@example.com',
		'ada.acme-corp@example.com',
		'x%40acme-corp.com',
		'acme-corp%40example.com',
		'https://acme-corp.com/',
		'https://acme-corp:8080/',
		'https://www.acme-corp.com',
		'https://example.com/acme-corp/form',
		'mailto:acme-corp@example.com',
		'acme-corporation',
		'the-acme-corp',
		'acme-corp-2',
		'acme-corp_2',
		'Zürichacme-corpé',
	])('is data where it is a part of something longer: %s', (text) => {
		expect(hideIn({ email: text }, ['acme-corp'])).toEqual({ email: text });
	});

	test('is hidden in base64, whatever is beside it', () => {
		for (const encode of BASE64) {
			expect(hideSecrets(`x${encode('acme-corp')}y`, ['acme-corp'])).toBe('x(hidden)y');
		}
	});

	test('as a number: hidden as a whole, and left in an address', () => {
		const item = { id: 1234567890, text: 'ID 1234567890', email: '1234567890@example.com' };
		const left = { id: '(hidden)', text: 'ID (hidden)', email: '1234567890@example.com' };
		expect(hideIn(item, ['1234567890'])).toEqual(left);
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

test('a token ID of digits as a JSON number: hidden; other numbers pass', () => {
	const others = { b: [1234567890.5, 123456789, -1234567], c: 7 };
	const value = { a: 1234567890, ...others };
	expect(hideIn(value, ['1234567890', '7'])).toEqual({ a: '(hidden)', ...others });
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
