import { CREDENTIAL_BLANKING_VALUE, CREDENTIAL_EMPTY_VALUE } from 'n8n-workflow';
import { keysOf, webhookSecretsOf } from '../../nodes/DataCollection/credential/secrets.ts';

const A = 'the secret named a';
const B = 'the secret named b';
const LOST = /^A webhook secret was lost/;

const secretsOf = (webhookSecret: string, previousWebhookSecrets: string) =>
	webhookSecretsOf({ webhookSecret, previousWebhookSecrets });

/** What is read of the two fields, and what is wrong with what was entered. */
function read(current: string, previous: string) {
	const { signing, verificationSecrets, verificationFault } = secretsOf(current, previous);
	const webhookSecret = signing.ok ? signing.value : '';
	const message = verificationFault?.message;
	const isMissing = message?.startsWith('The credential has no webhook secret');
	return [webhookSecret, verificationSecrets, isMissing ? undefined : message];
}

describe('the two fields hold', () => {
	test.each<[string, string, string, unknown[]]>([
		['nothing', '', '', ['', []]],
		['one', A, '', [A, [A]]],
		['a previous one only', '', B, ['', [B]]],
		['several, and empty lines', A, `${B}\r\n c${B} \n\n`, [A, [A, B, ` c${B} `]]],
		[
			'spaces, which belong to them',
			` ${A} `,
			`\t${B}\n\u00a0${B}`,
			[` ${A} `, [` ${A} `, `\t${B}`, `\u00a0${B}`]],
		],
		['a secret of 16 characters', 'x'.repeat(16), '', ['x'.repeat(16), ['x'.repeat(16)]]],
	])('%s', (_title, current, previous, expected) => {
		expect(read(current, previous)).toEqual([...expected, undefined]);
	});
});

test.each([' ', '\t', '\u00a0', '\u3000', '\ufeff', '\u2028', ' \t \u00a0 ', ' '.repeat(20)])(
	'what is blank is never a secret, and nothing was lost: %j',
	(blank) => {
		expect(read(blank, `${blank}\n\n${blank}`)).toEqual(['', [], undefined]);
		expect(read(blank, `${A}\n${blank}\n${B}`)).toEqual(['', [A, B], undefined]);
	},
);

describe.each([
	['of an empty field is never a secret, and nothing was lost', CREDENTIAL_EMPTY_VALUE, undefined],
	['of a stored secret is never a secret, and one was lost', CREDENTIAL_BLANKING_VALUE, LOST],
])("n8n's public text in place %s", (_what, text, lost) => {
	test.each<[string, string, string, unknown[]]>([
		['in the current secret', text, B, ['', [B]]],
		['in the current secret, with a space', `${text} `, B, ['', [B]]],
		['in the current secret, behind something typed', `b${text}`, B, ['', [B]]],
		['in the previous ones', A, text, [A, [A]]],
		['a line was added below', A, `${text}\n${B}`, [A, [A, B]]],
		['a line was added above', A, `${B}\n${text}`, [A, [A, B]]],
		['something was typed behind it', A, `${text}b`, [A, [A]]],
		['something was typed before it', A, `b${text}`, [A, [A]]],
	])('%s', (_title, current, previous, expected) => {
		const message: unknown = lost === undefined ? undefined : expect.stringMatching(lost);
		expect(read(current, previous)).toEqual([...expected, message]);
	});
});

describe('what cannot be a secret is not used, and named', () => {
	test.each<[string, string, string, unknown[]]>([
		[
			'one character',
			'x',
			B,
			['', [B], /^Webhook Secret in the credential is too short: use at least 16/],
		],
		['15 characters', 'x'.repeat(15), '', ['', [], /^Webhook Secret .* is too short/]],
		[
			'a previous one',
			A,
			`${B}\nx`,
			[A, [A, B], /^Line 2 of Previous Webhook Secrets .* is too short/],
		],
	])('%s', (_title, current, previous, [secret, secrets, message]) => {
		const expected = [secret, secrets, expect.stringMatching(message as RegExp)];
		expect(read(current, previous)).toEqual(expected);
	});
});

test('a short previous secret is not the reason why nothing can be signed', () => {
	const signing = (current: string) => {
		const result = secretsOf(current, 'x').signing;
		return result.ok ? undefined : result.fault.message;
	};
	expect(signing('')).toMatch(/has no webhook secret/);
	expect(signing('y')).toMatch(/^Webhook Secret .* too short/);
	expect(signing(A)).toBeUndefined();
});

describe('a key in a header', () => {
	const message = (apiKey: unknown, tokenId: unknown) => {
		const keys = keysOf({ environment: 'production', apiKey, tokenId } as never);
		return keys.ok ? undefined : keys.fault.message;
	};

	test.each([
		'plain-Key_1.~/+=',
		'with spaces inside',
		'Zoë',
		' around ',
		'pasted with its line\n',
		1042,
	])('can be sent: %j', (key) => {
		expect(message(key, key)).toBeUndefined();
	});

	test.each([
		'zero\u200bwidth',
		'“quoted”',
		'an–dash',
		'two\nlines',
		'two\r\nlines',
		'DEL\x7f',
		'nul\0',
		'東京',
	])('cannot be sent: %j', (key) => {
		const what = 'in the credential contains a character that cannot be sent';
		expect(message(key, 'token')).toBe(`API Key ${what}`);
		expect(message('key', key)).toBe(`Token ID ${what}`);
		expect(message([key], 'token')).toBe(`API Key ${what}`);
	});
});
