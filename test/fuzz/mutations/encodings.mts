import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { names, withHeader, type Mutation } from '../support/request.mts';

const packings: Record<string, (body: Buffer) => Buffer> = {
	plain: (body) => body,
	gzip: (body) => gzipSync(body),
	'weak gzip': (body) => gzipSync(body, { level: 0 }),
	'gzip in two parts': (body) =>
		Buffer.concat([gzipSync(body.subarray(0, 20)), gzipSync(body.subarray(20))]),
	'gzip in gzip': (body) => gzipSync(gzipSync(body)),
	'gzip, cut': (body) => gzipSync(body).subarray(0, -9),
	'gzip with a wrong checksum': (body) => {
		const packed = gzipSync(body);
		return Buffer.concat([packed.subarray(0, -8), Buffer.alloc(4), packed.subarray(-4)]);
	},
	deflate: (body) => deflateSync(body),
	'raw deflate': (body) => deflateRawSync(body),
	brotli: (body) => brotliCompressSync(body),
};

const announced = ['gzip', 'deflate', 'br', 'identity', 'GZIP', 'x-gzip', 'gzip, gzip', 'zstd', ''];

const packedAfter = fc
	.tuple(fc.constantFrom(...Object.keys(packings)), fc.constantFrom(...announced))
	.map(
		([packing, name]): Mutation => ({
			title: `signed, then ${packing} as "${name}"`,
			request: (request) => {
				const body = packings[packing]?.(request.body) ?? request.body;
				return withHeader({ ...request, body }, names.encoding, name);
			},
		}),
	);

const right = fc.constantFrom('gzip', 'deflate').map(
	(name): Mutation => ({
		title: `signed, then ${name} as it says`,
		request: (request) => {
			const body = packings[name]?.(request.body) ?? request.body;
			return withHeader({ ...request, body }, names.encoding, name);
		},
	}),
);

const packedBefore = fc.constantFrom('gzip', 'deflate').map(
	(name): Mutation => ({
		title: `${name}, then signed`,
		letter: (letter) => ({ ...letter, body: packings[name]?.(letter.body) ?? letter.body }),
		request: (request) => withHeader(request, names.encoding, name),
	}),
);

/** Content-Encoding, rightly and wrongly said. */
export const encodingMutations = fc.oneof(
	{ arbitrary: packedAfter, weight: 4 },
	{ arbitrary: right, weight: 3 },
	{ arbitrary: packedBefore, weight: 1 },
);
