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
	/** Why some may not be verified. */
	doubt?: Explanation;
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
	const [doubt] = doubtsAbout(secrets);
	return { signing, verificationSecrets, verificationError, doubt };
}

/** What is wrong with the webhook secrets that were entered, or may be. None has to be entered. */
export function secretErrors(credential: ICredentialDataDecryptedObject): Explanation[] {
	const secrets = enteredSecrets(credential);
	return [...errorsOf(secrets.map(({ result }) => result)), ...doubtsAbout(secrets)];
}

/** What the two fields hold. Line 0 is the current secret. */
export const secretLines = (credential: ICredentialDataDecryptedObject): string[] => [
	textOf(credential.webhookSecret) ?? '',
	...(textOf(credential.previousWebhookSecrets) ?? '').split(/\r?\n/),
];

type Entered = { secret: string; line: number; result: Result<string, Explanation> };

/** Blank lines and n8n's own texts are not secrets: anybody could sign with them. */
const enteredSecrets = (credential: ICredentialDataDecryptedObject): Entered[] =>
	secretLines(credential)
		.map((secret, line) => ({ secret, line, result: secretIn(secret, line) }))
		.filter(({ secret }) => secret.trim() !== '' && !secret.includes(SHOWN_FOR_AN_EMPTY_ONE));

const placeOf = (line: number) =>
	`${line === 0 ? 'Webhook Secret' : `Line ${line} of Previous Webhook Secrets`} in the credential`;

/** What cannot be seen at an end of a text. */
const AROUND = /^[\s\p{Cf}]|[\s\p{Cf}]$/u;

function secretIn(secret: string, line: number): Result<string, Explanation> {
	if (secret.includes(SHOWN_FOR_A_STORED_ONE)) return err(LOST);
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

/** Secrets with a comma, a semicolon or a tab between them, or behind each. */
const LIST = /^([^,;\t]{16,}[,;\t])+([^,;\t]{16,})?$/;

/** A random text with a comma has other characters than these, too, and no space behind the comma. */
const PLAIN = /^[\p{L}\p{N}\s,;+/=._-]*$/u;
const SPACED = /[,;\t]\s/;

/** Lines of previous secrets that look like several. They are used as one, which they may be. */
const doubtsAbout = (secrets: Entered[]): Explanation[] =>
	secrets
		.filter(({ secret, line }) => line > 0 && LIST.test(secret))
		.filter(({ secret }) => PLAIN.test(secret) || SPACED.test(secret))
		.map(({ line }) => ({
			message: `${placeOf(line)} may be more than one secret: enter each alone on its line`,
			description: 'All of the line is used as one secret. If it is one, leave it as it is.',
		}));
