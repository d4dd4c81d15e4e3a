import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { withHeader } from '../../support/delivery.mts';
import { names, ofHeader, ofRequest, type Mutation } from '../support/mutation.mts';

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

const packedAfter = fc
	.tuple(anyPacking, fc.constantFrom(...announced))
	.map(([packing, name]) => packed(`signed, then ${packing} as "${name}"`, packing, name));

const right = known.map((name) => packed(`signed, then ${name} as it says`, name, name));

const packedBefore = known.map((name): Mutation => {
	const letter: Mutation['letter'] = (unpacked) => {
		return { ...unpacked, body: packings[name](unpacked.body) };
	};
	return { ...ofHeader(`${name}, then signed`, names.encoding, () => name), letter };
});

/** Content-Encoding, rightly and wrongly said. */
export const encodingMutations = fc.oneof(
	{ arbitrary: packedAfter, weight: 4 },
	{ arbitrary: right, weight: 3 },
	{ arbitrary: packedBefore, weight: 1 },
);
