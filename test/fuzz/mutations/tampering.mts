import fc from 'fast-check';
import { drawn, ofRequest, tabled } from '../support/mutation.mts';

const tampered = (title: string, change: (body: Buffer) => Buffer | string) =>
	ofRequest(`body after signing: ${title}`, ({ body }) => ({ body: Buffer.from(change(body)) }));

/** A place in any body. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = (body: Buffer, share: number) => Math.floor(share * body.length);

/** Leaves what is no JSON as it is. */
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

/** Other bytes than were signed; now and then the same. */
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
