import { CREDENTIAL_BLANKING_VALUE, CREDENTIAL_EMPTY_VALUE } from 'n8n-workflow';
import { webhookSecretsOf } from '../../nodes/DataCollection/service/webhookSecrets.ts';
import { matching } from '../support/matchers.mts';

const A = 'the secret named a';
const B = 'the secret named b';

/** What is read of the two fields: the secret to sign with, all that count, and what is wrong. */
function read(webhookSecret: string, previousWebhookSecrets: string) {
	const secrets = webhookSecretsOf({ webhookSecret, previousWebhookSecrets });
	const { signingSecret, verificationSecrets, verificationError } = secrets;
	return {
		signingSecret: signingSecret.ok ? signingSecret.value : signingSecret.error.message,
		verificationSecrets,
		error: verificationError?.message,
	};
}

test.each<[string, string, string, string[]]>([
	['one of 16 characters', 'x'.repeat(16), '', ['x'.repeat(16)]],
	['several, and blank lines', A, `${B}\r\nc${B}\n\n\u3000\n\ufeff\n \t`, [A, B, `c${B}`]],
	['commas, which may belong to them', `${A}, ${B}`, `${A}, ${B}`, [`${A}, ${B}`, `${A}, ${B}`]],
	["n8n's text for an empty field", A, `${CREDENTIAL_EMPTY_VALUE}\n${B}`, [A, B]],
	['the same, with something typed before it', A, `b${CREDENTIAL_EMPTY_VALUE}`, [A]],
])('the two fields may hold %s', (_title, current, previous, secrets) => {
	const expected = { signingSecret: current, verificationSecrets: secrets, error: undefined };
	expect(read(current, previous)).toEqual(expected);
});

test.each(['', ' '.repeat(20), '\u2028', `${CREDENTIAL_EMPTY_VALUE} `])(
	'nothing is signed with %j, and a previous secret still verifies',
	(current) => {
		const none = matching(/^The credential has no webhook secret/);
		expect(read(current, B)).toEqual({
			signingSecret: none,
			verificationSecrets: [B],
			error: none,
		});
	},
);

test.each<[string, string, string, string[]]>([
	['behind something typed', `b${CREDENTIAL_BLANKING_VALUE}`, B, [B]],
	['above an added line', A, `${CREDENTIAL_BLANKING_VALUE}\n${B}`, [A, B]],
	['before something typed', A, `${CREDENTIAL_BLANKING_VALUE}b`, [A]],
])("n8n's text for a stored secret is never one, and one was lost: %s", (_where, ...given) => {
	const [current, previous, verificationSecrets] = given;
	const error = matching(/^A webhook secret was lost/);
	const signingSecret = current === A ? A : error;
	expect(read(current, previous)).toEqual({ signingSecret, verificationSecrets, error });
});

test.each([` ${A}`, `${A} `, `\t${A}`, `${A}\u00a0`, `${A}\u200b`, `\ufeff${A}`])(
	'a secret with white space at an end is not used, and its place is named: %j',
	(secret) => {
		const current = matching(/^Webhook Secret in the credential has white space at an end/);
		expect(read(secret, B)).toEqual({
			signingSecret: current,
			verificationSecrets: [B],
			error: current,
		});
		const line = matching(/^Line 2 of Previous Webhook Secrets .* has white space at an end/);
		const previous = { signingSecret: A, verificationSecrets: [A, B], error: line };
		expect(read(A, `${B}\n${secret}`)).toEqual(previous);
	},
);

test.each([`${A}, ${B}`, `${A}\t${B}`, `${B},`])(
	'a line is one secret, whatever is in it: %j',
	(line) => {
		const { verificationSecrets, verificationError } = webhookSecretsOf({
			webhookSecret: A,
			previousWebhookSecrets: line,
		});
		expect([verificationSecrets, verificationError]).toEqual([[A, line], undefined]);
	},
);

test('a secret of 15 characters is not used, and its place is named', () => {
	const short = matching(/^Webhook Secret in the credential is too short: use at least 16/);
	const expected = { signingSecret: short, verificationSecrets: [B], error: short };
	expect(read('x'.repeat(15), B)).toEqual(expected);
	const line = matching(/^Line 2 of Previous Webhook Secrets .* too short/);
	const previous = { signingSecret: A, verificationSecrets: [A, B], error: line };
	expect(read(A, `${B}\nx`)).toEqual(previous);
	// It is not the reason why nothing can be signed.
	expect(read('', 'x').signingSecret).toMatch(/^The credential has no webhook secret/);
});
