import fc from 'fast-check';
import { updated } from '../letters.mts';
import { drawn, ofLetter, ofRequest, tabled } from './mutation.mts';

const mebibyte = 1024 * 1024;

const rewritten = (title: string, write: (text: string, secret: string) => Buffer | string) =>
	ofLetter(`signed body: ${title}`, ({ body }, { secret }) => ({
		body: Buffer.from(write(body.toString(), secret)),
	}));

/** Puts fields in front of the body's own; of a field that occurs twice, the last one counts. */
const first = (text: string, fields: string) => text.replace('{', () => `{${fields},`);
const last = (text: string, fields: string) => text.replace(/\}\s*$/, () => `,${fields}}`);

const inherited = '"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}},"toString":1';
const ofPrototype = '"__proto__":{"requestId":"x"},"id"';

const spelt: Array<[title: string, write: (text: string) => Buffer | string]> = [
	['a byte order mark', (text) => `\uFEFF${text}`],
	['two byte order marks', (text) => `\uFEFF\uFEFF${text}`],
	['a no-break space at the end', (text) => `${text}\u00a0`],
	['a vertical tab at the end', (text) => `${text}\v`],
	['a zero byte at the end', (text) => `${text}\0`],
	['a comma too many', (text) => text.replace(/\}\s*$/, ',}')],
	['single quotes', (text) => text.replaceAll('"', "'")],
	['a comment', (text) => `/* */${text}`],
	['two documents', (text) => text + text],
	['cut in the middle', (text) => text.slice(0, text.length / 2)],
	['nothing', () => ''],
	['spaces alone', () => '   '],
	['UTF-16', (text) => Buffer.from(text, 'utf16le')],
	['a number that is not one', (text) => first(text, '"n":NaN')],
	['huge numbers', (text) => first(text, `"n":1e999,"m":${'9'.repeat(400)},"z":-0,"d":1e-400`)],
	['numbers beyond 2^53', (text) => first(text, '"n":9007199254740993,"m":-9223372036854775808')],
	['a key twice', (text) => first(text, '"requestId":"overwritten","shareStatus":5')],
	['the ID twice, the last one wrong', (text) => last(text, '"requestId":5')],
	['the event twice, the last one unknown', (text) => last(text, '"event":"share.deleted"')],
	['a key in another spelling', (text) => text.replace('"requestId"', '"\\u0072equestId"')],
	['keys that objects inherit', (text) => first(text, inherited)],
	['the ID in __proto__', (text) => text.replace('"requestId"', ofPrototype)],
	['a file as n8n has it', (text) => first(text, '"files":{"x":{"filepath":"/etc/passwd"}}')],
];

const roots = [
	...['null', '[]', '{}', '"x"', '1', 'true', '[{}]'],
	...['{"requestId":"x"}', `{"event":"${updated}"}`],
];
const fields = fc.constantFrom('event', 'requestId', 'shareStatus', 'webhookIdentifier');
const wrong = ['null', '5', '""', '[]', '{}', 'true', '["x"]', '{"toString":"x"}'];
const otherEvents = [
	...['collection_request.created', 'COLLECTION_REQUEST.UPDATED', `${updated} `],
	...['*', '__proto__'],
];
const depths = fc.oneof(fc.integer({ min: 1, max: 140 }), fc.constantFrom(1_000, 20_000));
const spaces = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 8 });
const noUtf8 = fc.uint8Array({ minLength: 1, maxLength: 4, min: 0x80 });

/** Unusual bodies with a correct signature. */
export const contentMutations = fc.oneof(
	tabled(12, spelt, rewritten),
	drawn(3, [fc.constantFrom(...roots)], (root) => rewritten(`only ${root}`, () => root)),
	drawn(4, [fields, fc.constantFrom(...wrong)], (name, value) =>
		rewritten(`${name} is ${value}`, (text) => last(text, `"${name}":${value}`)),
	),
	drawn(3, [fc.constantFrom(...otherEvents)], (event) =>
		rewritten(`event ${event}`, (text) => last(text, `"event":"${event}"`)),
	),
	drawn(3, [depths, fc.boolean()], (depth, isList) => {
		const [open, close] = isList ? ['[', ']'] : ['{"a":', '}'];
		const deep = `"deep":${open.repeat(depth)}1${close.repeat(depth)}`;
		return rewritten(`${depth} levels deep`, (text) => first(text, deep));
	}),
	drawn(3, [noUtf8], (bytes) =>
		rewritten(`bytes ${Buffer.from(bytes).toString('hex')} in a text`, (text) => {
			const [before = '', ...after] = first(text, '"odd":"#"').split('#');
			return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after.join('#'))]);
		}),
	),
	drawn(3, [spaces], (space) =>
		rewritten('white space around it', (text) => `${space}${text}${space}`),
	),
	drawn(1, [], () =>
		rewritten('it quotes the secret', (text, secret) =>
			first(text, `"quoted":"<${secret}>","${secret}":1`),
		),
	),
	drawn(1, [fc.constantFrom(100_000, mebibyte - 5_000, mebibyte + 1)], (bytes) =>
		rewritten(`${bytes} bytes more`, (text) => first(text, `"padding":"${'x'.repeat(bytes)}"`)),
	),
);

const tampered = (title: string, change: (body: Buffer) => Buffer | string) =>
	ofRequest(`body after signing: ${title}`, ({ body }) => ({ body: Buffer.from(change(body)) }));

/** A position in a body of any length. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = (body: Buffer, share: number) => Math.floor(share * body.length);

/** Rewrites JSON; leaves anything else unchanged. */
const reread = (write: (value: unknown) => string) => (body: Buffer) => {
	try {
		return write(JSON.parse(body.toString()));
	} catch {
		return body;
	}
};

const backwards = (value: unknown) =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value).reverse())
		: value;

const wholes: Array<[title: string, change: (body: Buffer) => Buffer | string]> = [
	['written anew', reread((value) => JSON.stringify(value))],
	['pretty-printed', reread((value) => JSON.stringify(value, null, 4))],
	['keys in another order', reread((value) => JSON.stringify(backwards(value)))],
	['another status', (body) => body.toString().replace('"completed"', '"open"')],
	['another ID', (body) => body.toString().replace(/"requestId":\s*"./, '"requestId":"Z')],
	['decoded and encoded', (body) => body.toString()],
	['composed letters', (body) => body.toString().normalize('NFC')],
	['decomposed letters', (body) => body.toString().normalize('NFD')],
	['a space at the end', (body) => `${body.toString()} `],
	['a line break at the end', (body) => `${body.toString()}\n`],
	['a byte order mark', (body) => Buffer.concat([Buffer.from('\uFEFF'), body])],
	['a field more', (body) => body.toString().replace('{', '{"admin":true,')],
	['nothing', () => ''],
	['an empty object', () => '{}'],
	['twice', (body) => Buffer.concat([body, body])],
];

/** Bytes other than the signed ones; occasionally the same. */
export const tamperingMutations = fc.oneof(
	drawn(1, [place, fc.nat(7)], (share, bit) =>
		tampered('a bit', (body) => {
			const copy = Buffer.from(body);
			copy[at(body, share)] = (copy[at(body, share)] ?? 0) ^ (1 << bit);
			return copy;
		}),
	),
	drawn(1, [place, fc.uint8Array({ minLength: 1, maxLength: 3 })], (share, bytes) =>
		tampered('bytes more', (body) => {
			const index = at(body, share);
			return Buffer.concat([body.subarray(0, index), bytes, body.subarray(index)]);
		}),
	),
	drawn(1, [place, fc.integer({ min: 1, max: 5 })], (share, count) =>
		tampered('bytes fewer', (body) => {
			const index = at(body, share);
			return Buffer.concat([body.subarray(0, index), body.subarray(index + count)]);
		}),
	),
	drawn(1, [place, place], (one, other) =>
		tampered('two bytes exchanged', (body) => {
			const copy = Buffer.from(body);
			const [left, right] = [at(body, one), at(body, other)];
			[copy[left], copy[right]] = [body[right] ?? 0, body[left] ?? 0];
			return copy;
		}),
	),
	tabled(1, wholes, tampered),
);
