import fc from 'fast-check';
import { valueOf, without } from '../../support/delivery.mts';
import type { HeaderLines } from '../../support/send.mts';
import type { Framing } from '../wire.mts';
import { drawn, names, ofRequest, tabled } from './mutation.mts';

const framed = (title: string, framing: Framing) => ofRequest(title, () => ({ framing }));

const chunkSize = fc.oneof(fc.constantFrom(1, 2, 16), fc.integer({ min: 1, max: 2_000 }));
const bytesOff = fc.oneof(fc.integer({ min: -80, max: -1 }), fc.integer({ min: 1, max: 1_000 }));

const length = (value: string): HeaderLines[number] => ['Content-Length', value];
const encoding = (value: string): HeaderLines[number] => ['Transfer-Encoding', value];
const invalid: Array<[title: string, ...lines: HeaderLines]> = [
	['a length and chunks', length('10'), encoding('chunked')],
	['chunks and a length', encoding('chunked'), length('10')],
	['two lengths', length('10'), length('11')],
	['a negative length', length('-1')],
	['a length with a sign', length('+10')],
	['a hexadecimal length', length('0x10')],
	['a length beyond all numbers', length('9'.repeat(40))],
	['chunks, but none', encoding('chunked')],
	['another transfer encoding', encoding('chunked, identity')],
];

const empty = ofRequest('no body at all', (request) => ({
	...without(request, names.type),
	body: Buffer.alloc(0),
}));

/** How the bytes of a request are split and declared. */
export const transferMutations = fc.oneof(
	drawn(5, [chunkSize, fc.constantFrom('', '', ';a=b')], (chunk, extension) =>
		framed(`in chunks of ${chunk}${extension}`, { chunk, extension }),
	),
	// A trailer after the body is not a header: a signature there signs nothing.
	drawn(1, [fc.constantFrom(names.signature, names.timestamp)], (name) =>
		ofRequest(`${name} after the body`, (request) => ({
			headers: request.headers.filter((line) => line[0] !== name),
			framing: { chunk: 100, trailers: [[name, valueOf(request, name)]] },
		})),
	),
	drawn(2, [bytesOff], (announced) => framed(`Content-Length off by ${announced}`, { announced })),
	tabled(2, invalid, (title, ...lines) => framed(title, { lines })),
	{ weight: 1, arbitrary: fc.constant(empty) },
);
