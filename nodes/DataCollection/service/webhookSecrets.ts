import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { err, errorsOf, type Explanation, type Result } from '../basics/result';
import { textOf } from '../basics/values';

/**
 * The beginnings of the texts that n8n shows in place of a stored password and of an empty one. n8n
 * restores the stored value only if the whole field was left unchanged. If somebody adds a line
 * below the dots, n8n's own text is saved, and a publicly known text must not become a secret.
 */
const SHOWN_FOR_A_STORED_ONE = '__n8n_BLANK_VALUE_';
const SHOWN_FOR_AN_EMPTY_ONE = '__n8n_EMPTY_VALUE_';

/** Fewer characters could be guessed. */
const SHORTEST_SECRET = 16;

/** The secrets that notifications are signed with. */
export interface WebhookSecrets {
	/** The one that Create sends to the service, or why there is none. */
	signing: Result<string, Explanation>;
	/** All that can be used, the current one first. The trigger accepts each of them. */
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

/** The webhook secrets in the two fields of the credential. */
export function webhookSecretsOf(credential: ICredentialDataDecryptedObject): WebhookSecrets {
	const secrets = enteredSecrets(credential);
	const checked = secrets.map(({ result }) => result);
	const signing = secrets.find(({ line }) => line === 0)?.result ?? err(MISSING);
	const [verificationError] = errorsOf([...checked, signing]);
	const verificationSecrets = checked.flatMap((result) => (result.ok ? [result.value] : []));
	return { signing, verificationSecrets, verificationError };
}

/** Why webhook secrets that were entered cannot be used. None has to be entered. */
export const secretErrors = (credential: ICredentialDataDecryptedObject): Explanation[] =>
	errorsOf(enteredSecrets(credential).map(({ result }) => result));

/** What the two fields hold. Line 0 is the current secret. */
export const secretLines = (credential: ICredentialDataDecryptedObject): string[] => [
	textOf(credential.webhookSecret) ?? '',
	...(textOf(credential.previousWebhookSecrets) ?? '').split(/\r?\n/),
];

/**
 * Blank lines and n8n's own texts are not secrets: anybody could sign with them. Spaces around a
 * secret are part of it, because the service got them, too.
 */
const enteredSecrets = (credential: ICredentialDataDecryptedObject) =>
	secretLines(credential)
		.map((secret, line) => ({ secret, line, result: secretIn(secret, line) }))
		.filter(({ secret }) => secret.trim() !== '' && !secret.includes(SHOWN_FOR_AN_EMPTY_ONE));

function secretIn(secret: string, line: number): Result<string, Explanation> {
	const field = line === 0 ? 'Webhook Secret' : `Line ${line} of Previous Webhook Secrets`;
	if (secret.includes(SHOWN_FOR_A_STORED_ONE)) return err(LOST);
	if (secret.length >= SHORTEST_SECRET) return { ok: true, value: secret };
	return err({
		message: `${field} in the credential is too short: use at least ${SHORTEST_SECRET} characters`,
		description:
			'Whoever guesses it can forge notifications. Enter a long random text, e.g. the output of openssl rand -hex 32, and create the collection requests again that were created with the short one.',
	});
}
