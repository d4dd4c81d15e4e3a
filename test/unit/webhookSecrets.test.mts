import { CREDENTIAL_BLANKING_VALUE, CREDENTIAL_EMPTY_VALUE } from 'n8n-workflow';
import { webhookSecretsOf } from '../../nodes/DataCollection/credential/secrets.ts';

/** The secrets that count: the first field's only, and those of both fields for verification. */
const found = (webhookSecret: string, verificationSecrets: string[], areIncomplete = false) => {
	return { webhookSecret, verificationSecrets, areIncomplete };
};

describe('the two fields hold', () => {
	test.each([
		['nothing', '', '', found('', [])],
		['one', 'a', '', found('a', ['a'])],
		['a previous one only', '', 'b', found('', ['b'])],
		['several, and empty lines', 'a', 'b\r\n c \n\n', found('a', ['a', 'b', ' c '])],
		[
			'spaces, which belong to them',
			' a b ',
			'\tc\nd\u00a0',
			found(' a b ', [' a b ', '\tc', 'd\u00a0']),
		],
	])('%s', (_title, current, previous, expected) => {
		expect(webhookSecretsOf(current, previous)).toEqual(expected);
	});
});

test.each([
	...[' ', '\t', '\u00a0', '\u3000', '\u200b', '\ufeff', '\u2028', '\0', '\u3164', '\u2800'],
	...['\ufe0f', ' \t \u00a0 '],
])('what is blank is never a secret, and nothing was lost: %j', (blank) => {
	expect(webhookSecretsOf(blank, `${blank}\n\n${blank}`)).toEqual(found('', []));
	expect(webhookSecretsOf(blank, `a\n${blank}\nb`)).toEqual(found('', ['a', 'b']));
});

describe.each([
	['of an empty field is never a secret, and nothing was lost', CREDENTIAL_EMPTY_VALUE, false],
	['of a stored secret is never a secret, and one was lost', CREDENTIAL_BLANKING_VALUE, true],
])("n8n's public text in place %s", (_what, text, isLost) => {
	test.each([
		['in the current secret', text, 'b', found('', ['b'], isLost)],
		['in the current secret, with a space', `${text} `, 'b', found('', ['b'], isLost)],
		['in the previous ones', 'a', text, found('a', ['a'], isLost)],
		['a line was added below', 'a', `${text}\nb`, found('a', ['a', 'b'], isLost)],
		['a line was added above', 'a', `b\n${text}`, found('a', ['a', 'b'], isLost)],
		['something was typed behind it', 'a', `${text}b`, found('a', ['a'], isLost)],
	])('%s', (_title, current, previous, expected) => {
		expect(webhookSecretsOf(current, previous)).toEqual(expected);
	});
});
