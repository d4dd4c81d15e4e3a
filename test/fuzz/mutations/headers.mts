import fc from 'fast-check';
import { valueOf } from '../../support/delivery.mts';
import { names, ofHeader, ofRequest } from '../support/mutation.mts';
import type { HeaderLines } from '../support/request.mts';

const carried = Object.values(names).filter((name) => name !== names.encoding);
const someName = fc.constantFrom(...carried);

const change = (title: string, write: (lines: HeaderLines) => HeaderLines) =>
	ofRequest(title, ({ headers }) => ({ headers: write(headers) }));

/** Changes the line of one header, where it stands. */
const inPlace = (
	title: string,
	name: string,
	write: (value: string) => string,
	newName: string = name,
) =>
	change(title, (lines) =>
		lines.map((line) => (line[0] === name ? [newName, write(line[1])] : line)),
	);

/** What may stand in a header, as the characters of its bytes. */
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

const missing = someName.map((name) =>
	change(`without ${name}`, (lines) => lines.filter((line) => line[0] !== name)),
);

const repeated = fc
	.tuple(someName, fc.constantFrom('same', 'other', 'empty'), fc.boolean())
	.map(([name, which, isFirst]) =>
		ofRequest(`${name} twice, ${which} value`, (request) => {
			const values = { same: valueOf(request, name), other: '0'.repeat(64), empty: '' };
			const line: HeaderLines[number] = [name, values[which]];
			const { headers } = request;
			return { headers: isFirst ? [line, ...headers] : [...headers, line] };
		}),
	);

const recased = fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }).map((upper) =>
	change('names in another case', (lines) =>
		lines.map(([name, value]) => {
			const letters = [...name].map((letter, at) =>
				upper[at % upper.length] ? letter.toUpperCase() : letter.toLowerCase(),
			);
			return [letters.join(''), value];
		}),
	),
);

const spaces = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 5 });
const padded = fc
	.tuple(someName, spaces, spaces)
	.map(([name, before, after]) =>
		inPlace(`spaces around ${name}`, name, (value) => `${before}${value}${after}`),
	);

const shuffled = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }).map((order) =>
	change('in another order', (lines) => {
		const known = order.flatMap((at) => lines.slice(at, at + 1));
		return [...known, ...lines.slice(order.length)];
	}),
);

const extra = fc
	.tuple(fc.constantFrom(...extraNames), allowed)
	.map(([name, value]) => change(`with ${name}`, (lines) => [[name, value], ...lines]));

const emptied = someName.map((name) => ofHeader(`an empty ${name}`, name, () => ''));

const renamed = fc
	.tuple(
		fc.constantFrom(names.signature, names.timestamp),
		fc.constantFrom(' ', '@', '\u00e9', '('),
	)
	.map(([name, letter]) => {
		const title = `${name} with a letter that no name has`;
		return inPlace(title, name, (value) => value, `${name}${letter}`);
	});

const controlled = fc.tuple(someName, control).map(([name, letter]) => {
	const title = `a control character in ${name}`;
	return inPlace(title, name, (value) => `${value.slice(0, 3)}${letter}`);
});

const folded = someName.map((name) =>
	inPlace(`${name} over two lines`, name, (value) => `${value}\r\n x`),
);

const long = fc
	.oneof(fc.integer({ min: 1_000, max: 14_000 }), fc.integer({ min: 17_000, max: 60_000 }))
	.map((length) =>
		change(`a header of ${length} bytes`, (lines) => [...lines, ['X-Long', 'x'.repeat(length)]]),
	);

const unsigned = fc
	.tuple(fc.constantFrom(names.event, names.deliveryId), allowed)
	.map(([name, value]) => ofHeader(`${name} says something else`, name, () => value));

/** Changes to the lines of the head; most leave what is signed as it was. */
export const headerMutations = fc.oneof(
	...[missing, repeated, recased, padded, shuffled, extra, emptied, unsigned],
	...[renamed, controlled, folded, long],
);
