import fc from 'fast-check';
import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import {
	createSanitizer,
	isInheritedName,
	MAXIMUM_DEPTH,
} from '../../nodes/DataCollection/sanitize.ts';

const parseObject = (text: string) => JSON.parse(text) as IDataObject;
const cleanCopy = (value: IDataObject, secrets: string[] = []) =>
	createSanitizer(secrets).copy(value);
const hideSecrets = (text: string, secrets: string[]) => createSanitizer(secrets).text(text);

const INHERITED = [
	...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf'],
	...['isPrototypeOf', '__defineGetter__', '__lookupSetter__'],
];

/** Every key of a value, at every depth. */
function keysOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
}

describe('names that every object inherits are left out', () => {
	test.each(INHERITED)('%s, at every depth and inside lists', (name) => {
		const key = JSON.stringify(name);
		const hostile = `{${key}:{"polluted":1},"a":{${key}:1,"b":[{${key}:{"polluted":1},"c":2}]}}`;
		const copy = cleanCopy(parseObject(hostile));
		expect(JSON.stringify(copy)).toBe('{"a":{"b":[{"c":2}]}}');
		expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
		expect('polluted' in {}).toBe(false);
	});

	test('for any JSON', () => {
		const key = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom(...INHERITED));
		fc.assert(
			fc.property(fc.object({ key, maxDepth: 4, maxKeys: 4 }), (value) => {
				const copy = cleanCopy(parseObject(JSON.stringify(value)));
				expect(keysOf(copy).filter(isInheritedName)).toEqual([]);
			}),
		);
	});
});

test('JSON without such names passes through unchanged', () => {
	const key = fc.string({ unit: 'grapheme' });
	const plain = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
	fc.assert(
		fc.property(plain, (object) => {
			const text = JSON.stringify(object);
			const value = parseObject(text);
			fc.pre(keysOf(value).every((name) => !isInheritedName(name) && name !== 'webhookSecret'));
			expect(JSON.stringify(cleanCopy(value, ['a secret of no interest']))).toBe(text);
		}),
	);
});

test('the copy shares nothing with the original', () => {
	const original = { list: [{ a: 1 }] };
	const copy = cleanCopy(original);
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
	expect(cleanCopy(value)).toEqual(left);
});

test('secrets are hidden in texts and names, at every depth', () => {
	const value = {
		'X-key-12345678': ['Bearer key-12345678'],
		a: { b: 'token-12345678 and key-12345678' },
	};
	expect(cleanCopy(value, ['key-12345678', 'token-12345678'])).toEqual({
		'X-(hidden)': ['Bearer (hidden)'],
		a: { b: '(hidden) and (hidden)' },
	});
});

test.each([
	['shorter than 8 characters are left', 'open and completed', ['open'], 'open and completed'],
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

/** Rewrites the matching characters of a text in another notation. */
const writing = (marks: RegExp, write: (mark: string, code: number) => string) => (text: string) =>
	text.replace(marks, (mark) => write(mark, mark.charCodeAt(0)));
const inUnicode = (_mark: string, code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
const inEntities = (quote: string, apostrophe: string) =>
	writing(/[&<>"']/g, (mark) => {
		return { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': quote, "'": apostrophe }[mark] ?? mark;
	});

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const slashEscaped = writing(/\//g, () => '\\/');
const asciiOnly = writing(/[^ -~]/g, inUnicode);
const lowercase = writing(/%../g, (code) => code.toLowerCase());
const uppercase = writing(/\\u..../g, (code) => `\\u${code.slice(2).toUpperCase()}`);

/** Ways to encode a secret; `dropped` is what a URL drops or resolves, and so cannot encode. */
const ENCODERS: Array<[string, (secret: string) => string, dropped?: RegExp]> = [
	['encodeURIComponent', encodeURIComponent],
	['encodeURIComponent, with lowercase digits', (text) => lowercase(encodeURIComponent(text))],
	['encodeURI', encodeURI],
	['Python, which leaves slashes', (text) => encodeURIComponent(text).replaceAll('%2F', '/')],
	['a form', (text) => String(new URLSearchParams({ '': text })).slice(1)],
	['a path', (text) => new URL(`https://a.example/x${text}`).pathname.slice(2), /[?#\\]|\.\.?/g],
	['a query', (text) => new URL(`https://a.example/?${text}`).search.slice(1), /#/g],
	['JSON', inJson],
	['JSON of ASCII only', (text) => asciiOnly(inJson(text))],
	['JSON from PHP', (text) => slashEscaped(inJson(text))],
	['JSON from PHP, of ASCII only', (text) => slashEscaped(asciiOnly(inJson(text)))],
	['JSON from Go', (text) => writing(/[<>&]/g, inUnicode)(inJson(text))],
	['JSON from .NET', (text) => uppercase(writing(/[<>&'+`]/g, inUnicode)(inJson(text)))],
	['HTML', inEntities('&quot;', '&#39;')],
	['HTML from Python', inEntities('&quot;', '&#x27;')],
	['HTML from Go', inEntities('&#34;', '&#39;')],
	['HTML with quotes as they are', inEntities('"', "'")],
	[
		'HTML by numbers',
		writing(/[&<>"'`=/]/g, (_, code) => `&#x${code.toString(16).toUpperCase()};`),
	],
	['XML', inEntities('&quot;', '&apos;')],
	['XML by numbers', writing(/[&<>"']/g, (_, code) => `&#${code};`)],
];

describe('secrets that come back in another form', () => {
	test.each(ENCODERS)('%s: hidden, whatever the secret has', (_name, encode, dropped = /(?!)/) => {
		const expectHidden = (given: string) => {
			const secret = given.replace(dropped, '');
			fc.pre(secret.length >= 8 && secret.trim() === secret);
			const shown = hideSecrets(`before ${encode(secret)} after`, [secret]);
			expect(shown).toBe('before (hidden) after');
		};
		expectHidden('k/3y "of" <Zoë> & \\ O\'Neil+?');
		fc.assert(fc.property(fc.string({ minLength: 8, maxLength: 40 }), expectHidden));
	});

	test('a run of one character takes no exponential time', () => {
		const secret = `${'\\'.repeat(64)}"${'%'.repeat(40)}`;
		const text = `${'\\'.repeat(100_000)}${'%25'.repeat(10_000)}`;
		expect(hideSecrets(text, [secret])).toBe(text);
		expect(hideSecrets(JSON.stringify(secret), [secret])).toBe('"(hidden)"');
	});

	test.each([499, 500, 501, 32_000])('a secret of %i characters is hidden', (length) => {
		const blocks = Array.from({ length: Math.ceil(length / 44) }, (_, index) =>
			createHash('sha256').update(String(index)).digest('base64'),
		);
		const secret = blocks.join('').slice(0, length);
		const json = JSON.stringify(secret).slice(1, -1);
		for (const text of [secret, encodeURIComponent(secret), json]) {
			expect(hideSecrets(text, [secret])).toMatch(/^(\(hidden\))+.{0,7}$/);
		}
	});

	test('as base64 of itself, or of a longer text at any place: too little is left to restore it', () => {
		const unit = fc.constantFrom(
			...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0189-_.~ë€/+',
		);
		const text = (minLength: number) => fc.string({ unit, minLength, maxLength: 40 });
		fc.assert(
			fc.property(text(8), text(0), text(0), (secret, before, after) => {
				for (const encoding of ['base64', 'base64url'] as const) {
					const encoded = Buffer.from(`${before}${secret}${after}`).toString(encoding);
					const shown = hideSecrets(encoded, [secret]);
					expect(shown).toContain('(hidden)');
					const [left = '', right = ''] = shown.split('(hidden)');
					const bytesLeft =
						Buffer.from(left, encoding).length + Buffer.from(right, encoding).length;
					expect(bytesLeft).toBeLessThanOrEqual(Buffer.byteLength(before + after) + 4);
				}
			}),
		);
	});

	test('a token ID of digits as a JSON number: hidden; other numbers pass', () => {
		const others = { b: [1234567890.5, 123456789, -1234567890], c: 7 };
		const value = { a: 1234567890, ...others };
		const secrets = ['001234567890', '00000000', '7'];
		expect(cleanCopy(value, secrets)).toEqual({ a: '(hidden)', ...others });
		const tooLong = '12345678901234567890';
		expect(cleanCopy(parseObject(`{"id":${tooLong}}`), [tooLong])).toEqual({ id: '(hidden)' });
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
});

test.each([
	['lists', '[', ']'],
	['objects', '{"a":', '}'],
])('%s nested too deeply are a RangeError, not an exhausted stack', (_title, open, close) => {
	const nested = (depth: number) =>
		parseObject(`{"a":${open.repeat(depth)}1${close.repeat(depth)}}`);
	expect(() => cleanCopy(nested(MAXIMUM_DEPTH - 1))).not.toThrow();
	expect(() => cleanCopy(nested(1_000))).toThrow(new RangeError('The value is nested too deeply'));
});
