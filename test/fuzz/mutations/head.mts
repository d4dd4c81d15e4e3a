import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { valueOf, withHeader } from '../../support/delivery.mts';
import type { HeaderLines } from '../../support/send.mts';
import { drawn, names, ofHeader, ofRequest } from './mutation.mts';

const carried = Object.values(names).filter((name) => name !== names.encoding);
const someName = fc.constantFrom(...carried);

const change = (title: string, write: (lines: HeaderLines) => HeaderLines) =>
	ofRequest(title, ({ headers }) => ({ headers: write(headers) }));

/** Changes the value of a header in place. */
const inPlace = (title: string, name: string, write: (value: string) => string) =>
	change(title, (lines) => lines.map((line) => (line[0] === name ? [name, write(line[1])] : line)));

/** What a header may contain, with one character per byte. */
const allowed = fc
	.uint8Array({ maxLength: 60 })
	.map((bytes) => bytes.map((byte) => (byte < 0x20 || byte === 0x7f ? 0x20 : byte)))
	.map((bytes) => Buffer.from(bytes).toString('latin1'));

const control = fc
	.integer({ min: 0, max: 0x1f })
	.filter((code) => ![0x09, 0x0a, 0x0d].includes(code))
	.map((code) => String.fromCharCode(code));

const extraNames = [
	...['X-Extra', 'Origin', 'Cookie', 'Accept', 'Accept-Encoding', 'Content-Disposition'],
	...['X-Forwarded-For', 'X-HTTP-Method-Override', 'X-SVC-Signature2', 'XSVC-Signature'],
	...['X_SVC_SIGNATURE', 'X-SVC-Signature-256', 'Signature', 'Authorization', 'Content-MD5'],
];

const spaces = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 5 });
const lengths = [fc.integer({ min: 1_000, max: 14_000 }), fc.integer({ min: 17_000, max: 60_000 })];
const signing = fc.constantFrom(names.signature, names.timestamp);

/** Changes to the lines of the head; most do not affect what is signed. */
export const headerMutations = fc.oneof(
	drawn(1, [someName], (name) =>
		change(`without ${name}`, (lines) => lines.filter((line) => line[0] !== name)),
	),
	drawn(
		1,
		[someName, fc.constantFrom('same', 'other', 'empty'), fc.boolean()],
		(name, which, isFirst) =>
			ofRequest(`${name} twice, ${which} value`, (request) => {
				const values = { same: valueOf(request, name), other: '0'.repeat(64), empty: '' };
				const line: HeaderLines[number] = [name, values[which]];
				const { headers } = request;
				return { headers: isFirst ? [line, ...headers] : [...headers, line] };
			}),
	),
	drawn(1, [fc.array(fc.boolean(), { minLength: 20, maxLength: 20 })], (upper) =>
		change('names in another case', (lines) =>
			lines.map(([name, value]) => {
				const letters = [...name].map((letter, at) =>
					upper[at % upper.length] ? letter.toUpperCase() : letter.toLowerCase(),
				);
				return [letters.join(''), value];
			}),
		),
	),
	drawn(1, [someName, spaces, spaces], (name, before, after) =>
		inPlace(`spaces around ${name}`, name, (value) => `${before}${value}${after}`),
	),
	drawn(1, [fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 })], (order) =>
		change('in another order', (lines) => [
			...order.flatMap((at) => lines.slice(at, at + 1)),
			...lines.slice(order.length),
		]),
	),
	drawn(1, [fc.constantFrom(...extraNames), allowed], (name, value) =>
		change(`with ${name}`, (lines) => [[name, value], ...lines]),
	),
	drawn(1, [someName], (name) => ofHeader(`an empty ${name}`, name, () => '')),
	drawn(1, [fc.constantFrom(names.event, names.deliveryId), allowed], (name, value) =>
		ofHeader(`${name} says something else`, name, () => value),
	),
	drawn(1, [signing, fc.constantFrom(' ', '@', '\u00e9', '(')], (name, letter) =>
		change(`${name} with a letter that no name has`, (lines) =>
			lines.map((line) => (line[0] === name ? [`${name}${letter}`, line[1]] : line)),
		),
	),
	drawn(1, [someName, control], (name, letter) =>
		inPlace(`a control character in ${name}`, name, (value) => `${value.slice(0, 3)}${letter}`),
	),
	drawn(1, [someName], (name) =>
		inPlace(`${name} over two lines`, name, (value) => `${value}\r\n x`),
	),
	drawn(1, [fc.oneof(...lengths)], (length) =>
		change(`a header of ${length} bytes`, (lines) => [...lines, ['X-Long', 'x'.repeat(length)]]),
	),
);

const types = [
	...['application/json', 'APPLICATION/JSON', 'application/json ', 'text/plain', 'text/json'],
	...['application/octet-stream', 'application/cloudevents+json', 'application/x-ndjson', ''],
	...['application/x-www-form-urlencoded', 'multipart/mixed', 'multipart/form-data'],
	...['multipart/form-data; boundary=x', 'application/jose', 'image/png', 'json', '*/*', ';'],
];

const charsets = [
	...['utf-8', 'UTF-8', 'utf8', '"utf-8"', ' utf-8', 'latin1', 'ascii', 'us-ascii'],
	...['utf-16le', 'ucs2', 'utf-16', 'hex', 'base64', 'bogus', '"utf-8', 'iso-8859-1', ''],
];

const typed = (type: string) => ofHeader(`Content-Type: ${type}`, names.type, () => type);

/** n8n passes these bodies on unread, so the node has to read them itself. */
export const asBytes = typed('application/octet-stream');

/** The declared type and character set of a body. */
export const typeMutations = fc.oneof(
	drawn(1, [fc.constantFrom(...types)], typed),
	drawn(
		1,
		[fc.constantFrom(...types.slice(0, 10)), fc.constantFrom(...charsets)],
		(type, charset) => typed(`${type}; charset=${charset}`),
	),
	drawn(1, [fc.constantFrom('profile="x"', 'a=b; charset=utf-8', 'charset', ';;;')], (parameter) =>
		typed(`application/json; ${parameter}`),
	),
);

const packings = {
	plain: (body: Buffer) => body,
	gzip: (body: Buffer) => gzipSync(body),
	'weak gzip': (body: Buffer) => gzipSync(body, { level: 0 }),
	'gzip in two parts': (body: Buffer) =>
		Buffer.concat([gzipSync(body.subarray(0, 20)), gzipSync(body.subarray(20))]),
	'gzip in gzip': (body: Buffer) => gzipSync(gzipSync(body)),
	'gzip, cut': (body: Buffer) => gzipSync(body).subarray(0, -9),
	'gzip with a wrong checksum': (body: Buffer) => {
		const packed = gzipSync(body);
		return Buffer.concat([packed.subarray(0, -8), Buffer.alloc(4), packed.subarray(-4)]);
	},
	deflate: (body: Buffer) => deflateSync(body),
	'raw deflate': (body: Buffer) => deflateRawSync(body),
	brotli: (body: Buffer) => brotliCompressSync(body),
};

type Packing = keyof typeof packings;
const anyPacking = fc.constantFrom(...(Object.keys(packings) as Packing[]));
const known = fc.constantFrom('gzip' as const, 'deflate' as const);
const announced = ['gzip', 'deflate', 'br', 'identity', 'GZIP', 'x-gzip', 'gzip, gzip', 'zstd', ''];

const packed = (title: string, packing: Packing, name: string) =>
	ofRequest(title, ({ headers, body }) =>
		withHeader({ headers, body: packings[packing](body) }, names.encoding, name),
	);

/** Content-Encoding, declared correctly and incorrectly. */
export const encodingMutations = fc.oneof(
	drawn(4, [anyPacking, fc.constantFrom(...announced)], (packing, name) =>
		packed(`signed, then ${packing} as "${name}"`, packing, name),
	),
	drawn(3, [known], (name) => packed(`signed, then ${name} as it says`, name, name)),
	drawn(1, [known], (name) => ({
		...ofHeader(`${name}, then signed`, names.encoding, () => name),
		letter: (letter) => ({ ...letter, body: packings[name](letter.body) }),
	})),
);
