import fc from 'fast-check';
import { apiKeysOf } from '../../nodes/DataCollection/service/apiKeys.ts';

const read = (apiKey: unknown, tokenId: unknown) =>
	apiKeysOf({ environment: 'production', apiKey, tokenId } as never);

const message = (apiKey: unknown, tokenId: unknown) => {
	const keys = read(apiKey, tokenId);
	return keys.ok ? undefined : keys.error.message;
};

test.each([
	'plain-Key_1.~/+=',
	'with spaces inside',
	'Zoë',
	'bearer-of-news',
	'api-key-1',
	"o'b",
	1042,
])('a key is sent as it was entered: %j', (key) => {
	const text = String(key);
	expect(read(key, key)).toEqual({ ok: true, value: { apiKey: text, tokenId: text } });
});

test.each<[copied: string, ...entered: string[]]>([
	['Bearer', 'Bearer KEY', 'Bearer   KEY\n'],
	['bearer', 'bearer\tKEY'],
	['Authorization: Bearer', 'Authorization: Bearer KEY'],
	['"authorization":"Bearer…"', '"authorization":"Bearer KEY"'],
	['tokenId:', 'tokenId: KEY', ' tokenId:KEY'],
	['token-id=', 'token-id=KEY'],
	['"tokenId": "…",', '"tokenId": "KEY",'],
	['API_KEY=', 'API_KEY=KEY'],
	['x-api-key:', 'x-api-key:KEY'],
	["'…'", "'KEY'"],
	['“…”', '“KEY”', '\u202a“KEY”\u202c'],
	['`', '`KEY'],
	['»', 'KEY»'],
	['<…>', '<KEY>'],
	['Bearer "…"', 'Bearer "KE\u200bY"'],
	[
		'white space or an invisible character',
		...[' KEY', 'KEY\n', '\tKEY\r\n', 'KE\nY', 'KE\tY', 'KEY\u00a0', 'KE\u00a0Y', '\ufeffKEY'],
		...['K\u200bEY', 'K\u2028EY', 'KEY\0', 'KEY\x7f', 'K\u00adEY'],
	],
])('what was copied with a key is named: %s in %j', (copied, ...entered) => {
	for (const text of entered) {
		expect(message(text, 'token')).toBe(
			`API Key in the credential contains more than the key (${copied}): enter the key alone`,
		);
		expect(message('key', text)).toBe(
			`Token ID in the credential contains more than the token ID (${copied}): enter the token ID alone`,
		);
	}
});

test.each(['', ' ', '""', 'Bearer ', 'Authorization:', '\u200b', undefined, null])(
	'%j is no key',
	(entered) => {
		const problem = 'in the credential is empty: enter';
		const source = 'that your provider has given you';
		expect(message(entered, 'token')).toBe(`API Key ${problem} the key ${source}`);
		expect(message(entered, entered)?.split('. ')).toHaveLength(2);
	},
);

test('other characters that a header cannot carry are refused, and so is what is no text', () => {
	expect(message('klucz-ł', 'token')).toBe(
		'API Key in the credential contains a character that cannot be sent: copy the key again as plain text',
	);
	expect(message('key', ['token'])).toBe(
		'Token ID in the credential is not text: enter the token ID as text',
	);
});

test('whatever is entered: it is sent as it is, or a message that does not quote it says why not', () => {
	const part = fc.constantFrom('Bearer ', 'tokenId: ', '"', '\u200b', ' ', '\n', '<', ',');
	const key = fc.base64String({ minLength: 12, maxLength: 40 });
	const entered = fc
		.array(fc.oneof(part, key, fc.string({ unit: 'binary' })))
		.map((all) => all.join(''));
	fc.assert(
		fc.property(entered, key, (text, secret) => {
			const keys = read(`${text}${secret}`, 'token');
			if (!keys.ok) return expect(JSON.stringify(keys.error)).not.toContain(secret);
			expect(keys.value.apiKey).toBe(`${text}${secret}`);
			expect(keys.value.apiKey).toMatch(/^[\x20-\x7e\xa0-\xff]+$/);
			expect(keys.value.apiKey.trim()).toBe(keys.value.apiKey);
		}),
	);
});
