import { CREDENTIAL_BLANKING_VALUE, CREDENTIAL_EMPTY_VALUE } from 'n8n-workflow';
import { webhookSecretsOf } from '../../nodes/DataCollection/credential/secrets.ts';

const NONE = { webhookSecret: '', verificationSecrets: [], areIncomplete: false };

test.each([
	['nothing', '', '', NONE],
	['one', 'a', '', { ...NONE, webhookSecret: 'a', verificationSecrets: ['a'] }],
	[
		'a previous one only',
		'',
		'b',
		{ webhookSecret: '', verificationSecrets: ['b'], areIncomplete: false },
	],
	[
		'several lines of both kinds, spaces kept, empty lines dropped',
		'a',
		'b\r\n c \n\n',
		{ webhookSecret: 'a', verificationSecrets: ['a', 'b', ' c '], areIncomplete: false },
	],
])('%s', (_title, current, previous, expected) => {
	expect(webhookSecretsOf(current, previous)).toEqual(expected);
});

describe('what is blank is never a secret, and nothing was lost', () => {
	test.each([
		' ',
		'\t',
		'\u00a0',
		'\u3000',
		'\u200b',
		'\ufeff',
		'\u2028',
		'\0',
		'\u3164',
		'\u2800',
		'\ufe0f',
		' \t \u00a0 ',
	])('%j', (blank) => {
		expect(webhookSecretsOf(blank, `${blank}\n\n${blank}`)).toEqual(NONE);
		expect(webhookSecretsOf(blank, `a\n${blank}\nb`).verificationSecrets).toEqual(['a', 'b']);
	});

	test('spaces around a secret are a part of it', () => {
		const spaced = [' a b ', '\tc', 'd\u00a0'];
		expect(webhookSecretsOf(spaced[0] ?? '', spaced.slice(1).join('\n'))).toEqual({
			webhookSecret: ' a b ',
			verificationSecrets: spaced,
			areIncomplete: false,
		});
	});
});

describe("n8n's public text in place of an empty field is never a secret, and nothing was lost", () => {
	test.each([
		['in the current secret', CREDENTIAL_EMPTY_VALUE, 'b', ['b']],
		['in the previous ones', 'a', CREDENTIAL_EMPTY_VALUE, ['a']],
		['a line was added below', 'a', `${CREDENTIAL_EMPTY_VALUE}\nb`, ['a', 'b']],
		['something was typed behind it', 'a', `${CREDENTIAL_EMPTY_VALUE}b`, ['a']],
	])('%s', (_title, current, previous, expected) => {
		const found = webhookSecretsOf(current, previous);
		expect(found.verificationSecrets).toEqual(expected);
		expect(found.webhookSecret).toBe(expected.includes('a') ? 'a' : '');
		expect(found.areIncomplete).toBe(false);
	});
});

describe("n8n's public text in place of a stored secret is never a secret", () => {
	const rows: Array<[string, string, string, string[]]> = [
		['a line was added below', 'a', `${CREDENTIAL_BLANKING_VALUE}\nb`, ['a', 'b']],
		['a line was added above', 'a', `b\n${CREDENTIAL_BLANKING_VALUE}`, ['a', 'b']],
		['something was typed behind it', 'a', `${CREDENTIAL_BLANKING_VALUE}b`, ['a']],
		['in the current secret', `${CREDENTIAL_BLANKING_VALUE} `, 'b', ['b']],
	];
	test.each(rows)('%s', (_title, current, previous, expected) => {
		const { verificationSecrets, webhookSecret, areIncomplete } = webhookSecretsOf(
			current,
			previous,
		);
		expect(verificationSecrets).toEqual(expected);
		expect(webhookSecret).toBe(expected.includes('a') ? 'a' : '');
		expect(areIncomplete).toBe(true);
	});
});
