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

/** Why something in the credential cannot be used, for the person who edits it. */
export interface Fault {
	message: string;
	description: string;
}

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

/** Whether something can be done with the credential, or why not. */
export type Check = { ok: true } | { ok: false; fault: Fault };

const check = (fault: Fault | undefined): Check =>
	fault === undefined ? { ok: true } : { ok: false, fault };

export interface WebhookSecrets {
	/** The secret that Create sends to the service. Empty if none is set. */
	webhookSecret: string;
	/** The current and the previous secrets, without blank ones. The trigger accepts each of them. */
	verificationSecrets: string[];
	/** Whether something can be signed. */
	signing: Check;
	/** Whether every genuine notification can be verified. */
	verifying: Check;
}

/** Whether a text is invisible: only spaces, control, format and filler characters. */
const isBlank = (text: string) => /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);

/** Why a text that was entered is not used as a webhook secret; undefined if it is. */
function faultOf(secret: string, field: string): Fault | undefined {
	if (secret.includes(SHOWN_FOR_A_STORED_ONE)) return LOST;
	if (/\p{Surrogate}/u.test(secret)) return unsendable(field);
	return secret.length < SHORTEST_SECRET ? tooShort(field) : undefined;
}

/**
 * Reads the two fields of the credential. Blank lines and n8n's own texts are not secrets: anybody
 * could sign with them. Spaces around a secret are part of it, because the service got them, too.
 */
export function webhookSecretsOf(current: string, previous: string): WebhookSecrets {
	const entered = [current, ...previous.split(/\r?\n/)]
		.map((secret, line) => {
			const field = line === 0 ? 'Webhook Secret' : `Line ${line} of Previous Webhook Secrets`;
			return { secret, fault: faultOf(secret, field) };
		})
		.filter(({ secret }) => !isBlank(secret) && !secret.includes(SHOWN_FOR_AN_EMPTY_ONE));
	const usable = entered.filter(({ fault }) => fault === undefined).map(({ secret }) => secret);
	const isUsable = usable.includes(current);
	const currentFault = entered.find(({ secret }) => secret === current)?.fault;
	const fault = entered.find((one) => one.fault !== undefined)?.fault;
	const missing = fault === LOST ? LOST : MISSING;
	const signing = check(isUsable ? undefined : (currentFault ?? missing));
	return {
		webhookSecret: isUsable ? current : '',
		verificationSecrets: usable,
		signing,
		verifying: fault === undefined ? signing : check(fault),
	};
}

/** The practice service has the same key in every n8n. */
const PRACTICE_KEY = 'practice-key';

/**
 * The API key and the token ID, if they can be sent in a header. n8n's HTTP client drops characters
 * that cannot, so the key may work, but it would no longer be recognised and hidden when the service
 * repeats it.
 */
export function readKeys({ environment, apiKey, tokenId }: ICredentialDataDecryptedObject) {
	if (environment === 'practice') {
		return { ok: true, apiKey: PRACTICE_KEY, tokenId: PRACTICE_KEY } as const;
	}
	const fault = headerFault('API Key', apiKey) ?? headerFault('Token ID', tokenId);
	if (fault !== undefined) return { ok: false, fault } as const;
	return { ok: true, apiKey: String(apiKey), tokenId: String(tokenId) } as const;
}

function headerFault(field: string, value: unknown): Fault | undefined {
	const key = value ?? '';
	if (typeof key !== 'string' && typeof key !== 'number') return notText(field);
	return /^[\t\x20-\x7e\x80-\xff]*$/.test(String(key).trim()) ? undefined : unsendable(field);
}
