import fc from 'fast-check';
import {
	names,
	valueOf,
	withHeader,
	type Framing,
	type HeaderLines,
	type Mutation,
} from '../support/request.mts';

const framed = (title: string, framing: Framing): Mutation => ({
	title,
	request: (request) => ({ ...request, framing }),
});

const chunked = fc
	.tuple(
		fc.oneof(fc.constantFrom(1, 2, 16), fc.integer({ min: 1, max: 2_000 })),
		fc.constantFrom('', '', ';a=b'),
	)
	.map(([chunk, extension]) => framed(`in chunks of ${chunk}${extension}`, { chunk, extension }));

/** What comes after the body is no header: a signature there signs nothing. */
const trailing = fc.constantFrom(names.signature, names.timestamp).map(
	(name): Mutation => ({
		title: `${name} after the body`,
		request: (request) => {
			const trailers: HeaderLines = [[name, valueOf(request.headers, name)]];
			const headers = request.headers.filter((line) => line[0] !== name);
			return { ...request, headers, framing: { chunk: 100, trailers } };
		},
	}),
);

const misannounced = fc
	.oneof(fc.integer({ min: -80, max: -1 }), fc.integer({ min: 1, max: 1_000 }))
	.map((announced) => framed(`Content-Length off by ${announced}`, { announced }));

const lines: Array<[title: string, lines: HeaderLines]> = [
	[
		'a length and chunks',
		[
			['Content-Length', '10'],
			['Transfer-Encoding', 'chunked'],
		],
	],
	[
		'chunks and a length',
		[
			['Transfer-Encoding', 'chunked'],
			['Content-Length', '10'],
		],
	],
	[
		'two lengths',
		[
			['Content-Length', '10'],
			['Content-Length', '11'],
		],
	],
	['a negative length', [['Content-Length', '-1']]],
	['a length with a sign', [['Content-Length', '+10']]],
	['a hexadecimal length', [['Content-Length', '0x10']]],
	['a length beyond all numbers', [['Content-Length', '9'.repeat(40)]]],
	['chunks, but none', [['Transfer-Encoding', 'chunked']]],
	['another transfer encoding', [['Transfer-Encoding', 'chunked, identity']]],
];

const invalid = fc
	.constantFrom(...lines)
	.map(([title, instead]) => framed(title, { lines: instead }));

const empty: Mutation = {
	title: 'no body at all',
	request: (request) => ({ ...withHeader(request, names.type), body: Buffer.alloc(0) }),
};

/** How the bytes of a request are cut and announced. */
export const transferMutations = fc.oneof(
	{ arbitrary: chunked, weight: 5 },
	{ arbitrary: trailing, weight: 1 },
	{ arbitrary: misannounced, weight: 2 },
	{ arbitrary: invalid, weight: 2 },
	{ arbitrary: fc.constant(empty), weight: 1 },
);
