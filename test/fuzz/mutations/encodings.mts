import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { withHeader } from '../../support/delivery.mts';
import { drawn, names, ofHeader, ofRequest } from '../support/mutation.mts';

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

/** Content-Encoding, rightly and wrongly said. */
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
