import { createHmac } from 'node:crypto';
import { isHmacOf } from '../../nodes/DataCollection/webhook/signature.ts';
import published from '../vectors/published_hmac_sha256_vectors.json' with { type: 'json' };
import wycheproof from '../vectors/wycheproof_hmac_sha256.json' with { type: 'json' };

const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** Our signed string is a message like any other here. */
const wycheproofCases = wycheproof.testGroups.flatMap(({ tests }) =>
	tests.map(({ tcId, comment, key, msg, tag, result }) => ({
		title: `case ${tcId} (${comment})`,
		key: bytes(key),
		message: bytes(msg),
		tag,
		isRight: result === 'valid',
	})),
);
const publishedCases = published.map(({ source, keyHex, msgHex, macHex }) => ({
	title: source,
	key: bytes(keyHex),
	message: bytes(msgHex),
	tag: macHex,
	isRight: true,
}));

test('all 174 Wycheproof cases are here', () => {
	expect(wycheproofCases).toHaveLength(wycheproof.numberOfTests);
	expect(wycheproofCases).toHaveLength(174);
	const accepted = wycheproofCases.filter(({ tag, isRight }) => isRight && tag.length === 64);
	expect(accepted).toHaveLength(33);
});

describe.each([
	['Wycheproof', wycheproofCases],
	['published vectors', publishedCases],
])('%s: the right tag is accepted, a modified or truncated one is refused', (_source, cases) => {
	test.each(cases)('$title', ({ key, message, tag, isRight }) => {
		// Computed without the package, to see that a vector is what it says.
		const computed = createHmac('sha256', key).update(message).digest('hex');
		expect(computed.startsWith(tag)).toBe(isRight);
		expect(isHmacOf([key], tag, message)).toBe(isRight && tag.length === 64);
	});
});
