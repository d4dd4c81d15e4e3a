import { createHmac } from 'node:crypto';
import { isHmacOf } from '../../nodes/DataCollection/webhook/signature.ts';
import published from '../vectors/published_hmac_sha256_vectors.json' with { type: 'json' };
import wycheproof from '../vectors/wycheproof_hmac_sha256.json' with { type: 'json' };

/** Computed without the package, to see that a vector is what it says. */
const hmacSha256Hex = (key: Buffer, message: Buffer) =>
	createHmac('sha256', key).update(message).digest('hex');

const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** Each vector as a row for `test.each`: our signed string is a message like any other here. */
const cases = wycheproof.testGroups.flatMap(({ tagSize, tests }) =>
	tests.map(({ tcId, comment, key, msg, tag, result }) => ({
		tcId,
		comment,
		tagSize,
		key: bytes(key),
		message: bytes(msg),
		tag,
		isValid: result === 'valid',
	})),
);
const fullLength = cases.filter(({ tagSize }) => tagSize === 256);
const truncated = cases.filter(({ tagSize }) => tagSize === 128);

test('all 174 Wycheproof cases are here', () => {
	expect(cases).toHaveLength(wycheproof.numberOfTests);
	expect(fullLength.length + truncated.length).toBe(174);
	expect(fullLength.filter(({ isValid }) => isValid)).toHaveLength(33);
});

describe('Wycheproof, tags of full length', () => {
	test.each(fullLength.filter(({ isValid }) => isValid))(
		'case $tcId: the right tag is computed and accepted',
		({ key, message, tag }) => {
			expect(hmacSha256Hex(key, message)).toBe(tag);
			expect(isHmacOf([key], tag, message)).toBe(true);
		},
	);

	test.each(fullLength.filter(({ isValid }) => !isValid))(
		'case $tcId: a modified tag is refused ($comment)',
		({ key, message, tag }) => {
			expect(isHmacOf([key], tag, message)).toBe(false);
		},
	);
});

describe('Wycheproof, tags truncated to 128 bits', () => {
	test.each(truncated)(
		'case $tcId: refused, right or not ($comment)',
		({ key, message, tag, isValid }) => {
			expect(hmacSha256Hex(key, message).startsWith(tag)).toBe(isValid);
			expect(isHmacOf([key], tag, message)).toBe(false);
		},
	);
});

describe('published vectors', () => {
	const rows = published.map(({ source, keyHex, msgHex, macHex }) => ({
		source,
		key: bytes(keyHex),
		message: bytes(msgHex),
		mac: macHex,
	}));

	test.each(rows.filter(({ mac }) => mac.length === 64))(
		'$source: computed and accepted',
		({ key, message, mac }) => {
			expect(hmacSha256Hex(key, message)).toBe(mac);
			expect(isHmacOf([key], mac, message)).toBe(true);
		},
	);

	test.each(rows.filter(({ mac }) => mac.length < 64))(
		'$source: the truncated MAC is right and still refused',
		({ key, message, mac }) => {
			expect(hmacSha256Hex(key, message).slice(0, mac.length)).toBe(mac);
			expect(isHmacOf([key], mac, message)).toBe(false);
		},
	);
});
