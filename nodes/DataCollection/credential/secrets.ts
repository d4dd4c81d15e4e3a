import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/**
 * The beginnings of the texts that n8n shows in place of a stored password and of an empty one. n8n
 * restores the stored value only if the whole field was left unchanged. If somebody adds a line
 * below the dots, n8n's own text is saved, and a publicly known text must not become a secret.
 */
const SHOWN_FOR_A_STORED_ONE = '__n8n_BLANK_VALUE_';
const SHOWN_FOR_AN_EMPTY_ONE = '__n8n_EMPTY_VALUE_';

/** Fewer characters could be guessed. */
const SHORTEST_SECRET = 16;

/** Why a part of the credential cannot be used, for the person who edits it. */
export interface Fault {
	message: string;
	description: string;
}

/** Whether a part of the credential can be used. */
export type Check = { ok: true } | { ok: false; fault: Fault };

/** Several faults as one, so that all that is wrong can be corrected at once. */
export function joinFaults(faults: Fault[]): Fault {
	const each = (texts: string[]) => [...new Set(texts)];
	return {
		message: each(faults.map(({ message }) => message)).join('. '),
		description: each(faults.map(({ description }) => description)).join(' '),
	};
}

/** What is wrong with each of several parts. */
export const faultsOf = (checks: Check[]): Fault[] =>
	checks.flatMap((check) => (check.ok ? [] : [check.fault]));

const USABLE: Check = { ok: true };
const unusable = (fault: Fault): Check => ({ ok: false, fault });

const LOST: Fault = {
	message: 'A webhook secret was lost when the credential was edited',
	description:
		'n8n hides stored secrets and keeps them only if you leave the whole field unchanged. Open the Data Collection API credential and enter Webhook Secret and every line of Previous Webhook Secrets again.',
};

const MISSING: Fault = {
	message: 'The credential has no webhook secret: enter one in the Data Collection API credential',
	description:
		'Enter a Webhook Secret: it signs notifications, and without it none can be verified.',
};

const unsendable = (field: string): Fault => ({
	message: `${field} in the credential contains a character that cannot be sent`,
	description:
		'Open the Data Collection API credential and enter it again as plain text, without line breaks, typographic characters and invisible characters.',
});

const notText = (field: string): Fault => ({
	message: `${field} in the credential is not text`,
	description:
		'Check the expression in the Data Collection API credential: it returns an object or a list.',
});

const tooShort = (field: string): Fault => ({
	message: `${field} in the credential is too short: use at least ${SHORTEST_SECRET} characters`,
	description:
		'Whoever guesses it can forge notifications. Enter a long random text, e.g. the output of openssl rand -hex 32, and create the collection requests again that were created with the short one.',
});

export interface WebhookSecrets {
	/** The secret that Create sends to the service. Empty if it cannot be used. */
	webhookSecret: string;
	/** All secrets that can be used, the current one first. The trigger accepts each of them. */
	verificationSecrets: string[];
	/** Whether there is a current secret, to sign with. */
	signing: Check;
	/** Whether every genuine notification can be verified. If not, some may still be. */
	verifying: Check;
}

/**
 * Reads the two fields of the credential. Blank lines and n8n's own texts are not secrets: anybody
 * could sign with them. Spaces around a secret are part of it, because the service got them, too.
 */
export function webhookSecretsOf(current: string, previous: string): WebhookSecrets {
	const entered = enteredSecrets(current, previous);
	const [firstFault] = faultsOf(entered.map(({ check }) => check));
	const signing =
		entered.find(({ line }) => line === 0)?.check ?? unusable(firstFault === LOST ? LOST : MISSING);
	return {
		webhookSecret: signing.ok ? current : '',
		verificationSecrets: entered.filter(({ check }) => check.ok).map(({ secret }) => secret),
		signing,
		verifying: firstFault === undefined ? signing : unusable(firstFault),
	};
}

/** Why webhook secrets that were entered cannot be used. None has to be entered. */
export const secretFaults = (current: string, previous: string): Fault[] =>
	faultsOf(enteredSecrets(current, previous).map(({ check }) => check));

const enteredSecrets = (current: string, previous: string) =>
	[current, ...previous.split(/\r?\n/)]
		.map((secret, line) => ({ secret, line, check: checkSecret(secret, line) }))
		.filter(({ secret }) => !isBlank(secret) && !secret.includes(SHOWN_FOR_AN_EMPTY_ONE));

/** Whether a text is invisible: only spaces, control, format and filler characters. */
const isBlank = (text: string) => /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);

/** Whether a text can be a webhook secret. Line 0 is the current one. */
function checkSecret(secret: string, line: number): Check {
	const field = line === 0 ? 'Webhook Secret' : `Line ${line} of Previous Webhook Secrets`;
	if (secret.includes(SHOWN_FOR_A_STORED_ONE)) return unusable(LOST);
	if (/\p{Surrogate}/u.test(secret)) return unusable(unsendable(field));
	return secret.length < SHORTEST_SECRET ? unusable(tooShort(field)) : USABLE;
}

/**
 * Whether the API key and the token ID can be sent in a header. n8n's HTTP client drops characters
 * that cannot, so the key may work, but it would no longer be recognised and hidden when the service
 * repeats it.
 */
export function checkKeys({ apiKey, tokenId }: ICredentialDataDecryptedObject): Check {
	const faults = faultsOf([checkKey('API Key', apiKey), checkKey('Token ID', tokenId)]);
	return faults.length === 0 ? USABLE : unusable(joinFaults(faults));
}

function checkKey(field: string, value: unknown): Check {
	const key = value ?? '';
	if (typeof key !== 'string' && typeof key !== 'number') return unusable(notText(field));
	const isSendable = /^[\t\x20-\x7e\x80-\xff]*$/.test(String(key).trim());
	return isSendable ? USABLE : unusable(unsendable(field));
}
