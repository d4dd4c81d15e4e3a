import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type Explanation } from '../basics/explanation';
import { err, errorsOf, type Result } from '../basics/result';
import { textOf } from '../basics/values';

/**
 * How the texts begin that n8n shows for a stored password and for an empty one. If somebody adds a
 * line below the dots, n8n saves its own text, which is publicly known.
 */
const STORED_PLACEHOLDER = '__n8n_BLANK_VALUE_';
const EMPTY_PLACEHOLDER = '__n8n_EMPTY_VALUE_';

/** Fewer characters could be guessed. */
const SHORTEST_SECRET = 16;

export interface WebhookSecrets {
	/** The secret that Create sends to the service, or why there is none. */
	signingSecret: Result<string, Explanation>;
	/** The current secret first. */
	verificationSecrets: string[];
	/** Why some genuine notifications, or all of them, cannot be verified. */
	verificationError?: Explanation;
}

const LOST: Explanation = {
	message: 'A webhook secret was lost when the credential was edited',
	description:
		'n8n hides stored secrets and keeps them only if you leave the whole field unchanged. Open the Data Collection API credential and enter Webhook Secret and every line of Previous Webhook Secrets again.',
};

const MISSING: Explanation = {
	message: 'The credential has no webhook secret: enter one in the Data Collection API credential',
	description:
		'Enter a Webhook Secret: it signs notifications, and without it none can be verified.',
};

export function webhookSecretsOf(credential: ICredentialDataDecryptedObject): WebhookSecrets {
	const secrets = enteredSecrets(credential);
	const checked = secrets.map(({ result }) => result);
	const signingSecret = secrets.find(({ line }) => line === 0)?.result ?? err(MISSING);
	const [verificationError] = errorsOf([...checked, signingSecret]);
	const verificationSecrets = checked.flatMap((result) => (result.ok ? [result.value] : []));
	return { signingSecret, verificationSecrets, verificationError };
}

/** None has to be entered. */
export const secretErrors = (credential: ICredentialDataDecryptedObject): Explanation[] =>
	errorsOf(enteredSecrets(credential).map(({ result }) => result));

/** Line 0 is the current secret. */
export const secretLines = (credential: ICredentialDataDecryptedObject): string[] => [
	textOf(credential.webhookSecret) ?? '',
	...(textOf(credential.previousWebhookSecrets) ?? '').split(/\r?\n/),
];

type Entered = { secret: string; line: number; result: Result<string, Explanation> };

/** Blank lines and n8n's own texts are not secrets: anybody could sign with them. */
const enteredSecrets = (credential: ICredentialDataDecryptedObject): Entered[] =>
	secretLines(credential)
		.map((secret, line) => ({ secret, line, result: secretIn(secret, line) }))
		.filter(({ secret }) => secret.trim() !== '' && !secret.includes(EMPTY_PLACEHOLDER));

const placeOf = (line: number) =>
	`${line === 0 ? 'Webhook Secret' : `Line ${line} of Previous Webhook Secrets`} in the credential`;

/** White space and invisible characters. */
const AROUND = /^[\s\p{Cf}]|[\s\p{Cf}]$/u;

function secretIn(secret: string, line: number): Result<string, Explanation> {
	if (secret.includes(STORED_PLACEHOLDER)) return err(LOST);
	if (AROUND.test(secret)) {
		return err({
			message: `${placeOf(line)} has white space at an end: enter it without`,
			description:
				'It may have been copied with the secret, and everybody who verifies notifications would have to enter it, too.',
		});
	}
	if (secret.length >= SHORTEST_SECRET) return { ok: true, value: secret };
	return err({
		message: `${placeOf(line)} is too short: use at least ${SHORTEST_SECRET} characters`,
		description:
			'Whoever guesses it can forge notifications. Enter a long text that nobody can guess, and create the collection requests again that were created with the short one.',
	});
}
