import { CREDENTIAL_BLANKING_VALUE } from 'n8n-workflow';
import { webhookSecretsOf } from '../../nodes/DataCollection/shared/webhookSecrets';

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
