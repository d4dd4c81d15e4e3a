import fc from 'fast-check';
import {
	names,
	valueOf,
	withHeader,
	type HeaderLines,
	type Mutation,
} from '../support/request.mts';

const carried = Object.values(names).filter((name) => name !== names.encoding);
const someName = fc.constantFrom(...carried);

const change = (title: string, headers: (lines: HeaderLines) => HeaderLines): Mutation => ({
	title,
	request: (request) => ({ ...request, headers: headers(request.headers) }),
});

/** What may stand in a header, as the characters of its bytes. */
const allowed = fc.uint8Array({ maxLength: 60 }).map((bytes) =>
	[...bytes]
		.map((byte) => (byte < 0x20 || byte === 0x7f ? 0x20 : byte))
		.map((byte) => String.fromCharCode(byte))
		.join(''),
);

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

const repeated = fc.tuple(someName, fc.constantFrom('same', 'other', 'empty'), fc.boolean()).map(
	([name, which, isFirst]): Mutation =>
		change(`${name} twice, ${which} value`, (lines) => {
			const value = valueOf(lines, name);
			const other = { same: value, other: '0'.repeat(64), empty: '' }[which] ?? value;
			return isFirst ? [[name, other], ...lines] : [...lines, [name, other]];
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
		change(`spaces around ${name}`, (lines) =>
			lines.map((line) => (line[0] === name ? [name, `${before}${line[1]}${after}`] : line)),
		),
	);

const shuffled = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }).map((order) =>
	change('in another order', (lines) => {
		const known = order.flatMap((at) => (lines[at] === undefined ? [] : [lines[at]]));
		return [...known, ...lines.slice(order.length)];
	}),
);

const extra = fc
	.tuple(fc.constantFrom(...extraNames), allowed)
	.map(([name, value]) => change(`with ${name}`, (lines) => [[name, value], ...lines]));

const emptied = someName.map(
	(name): Mutation => ({
		title: `an empty ${name}`,
		request: (request) => withHeader(request, name, ''),
	}),
);

const renamed = fc
	.tuple(
		fc.constantFrom(names.signature, names.timestamp),
		fc.constantFrom(' ', '@', '\u00e9', '('),
	)
	.map(([name, letter]) =>
		change(`${name} with a letter that no name has`, (lines) =>
			lines.map((line) => (line[0] === name ? [`${name}${letter}`, line[1]] : line)),
		),
	);

const controlled = fc
	.tuple(someName, control)
	.map(([name, letter]) =>
		change(`a control character in ${name}`, (lines) =>
			lines.map((line) => (line[0] === name ? [name, `${line[1].slice(0, 3)}${letter}`] : line)),
		),
	);

const folded = someName.map((name) =>
	change(`${name} over two lines`, (lines) =>
		lines.map((line) => (line[0] === name ? [name, `${line[1]}\r\n x`] : line)),
	),
);

const long = fc
	.oneof(fc.integer({ min: 1_000, max: 14_000 }), fc.integer({ min: 17_000, max: 60_000 }))
	.map((length) =>
		change(`a header of ${length} bytes`, (lines) => [...lines, ['X-Long', 'x'.repeat(length)]]),
	);

const unsigned = fc.tuple(fc.constantFrom(names.event, names.deliveryId), allowed).map(
	([name, value]): Mutation => ({
		title: `${name} says something else`,
		request: (request) => withHeader(request, name, value),
	}),
);

/** Changes to the lines of the head; most leave what is signed as it was. */
export const headerMutations = fc.oneof(
	...[missing, repeated, recased, padded, shuffled, extra, emptied, unsigned],
	...[renamed, controlled, folded, long],
);
