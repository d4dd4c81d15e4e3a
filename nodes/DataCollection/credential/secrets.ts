/**
 * How the texts begin that n8n shows in place of a stored password, and of an empty one. Both are
 * public, and n8n puts the stored value back only when the whole field was left as it was: whoever
 * adds a line below the dots would otherwise make a text that everybody knows a secret.
 */
const SHOWN_FOR_A_STORED_ONE = '__n8n_BLANK_VALUE_';
const SHOWN_FOR_AN_EMPTY_ONE = '__n8n_EMPTY_VALUE_';

/** What to tell the person who edited the credential. */
export const INCOMPLETE_SECRETS = {
	message: 'A webhook secret was lost when the credential was edited',
	description:
		'n8n does not show stored secrets and keeps them only if the whole field is left alone. Open the Data Collection API credential and enter Webhook Secret and every line of Previous Webhook Secrets again.',
};

const MISSING_SECRET = {
	message: 'The credential has no webhook secret: enter one in the Data Collection API credential',
	description:
		'Enter a Webhook Secret: it signs notifications, and without it none can be verified.',
};

export interface WebhookSecrets {
	/** Signs what Create asks for; empty when none is set. */
	webhookSecret: string;
	/** The current and the previous ones, none of them blank; the trigger accepts each. */
	verificationSecrets: string[];
	/** Whether a secret was lost when the credential was edited: n8n's text stands in its place. */
	areIncomplete: boolean;
}

/** Nothing that can be seen: spaces, control, format and filler characters. */
const isBlank = (text: string) => /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);

const isUsable = (secret: string) =>
	!isBlank(secret) &&
	!secret.includes(SHOWN_FOR_A_STORED_ONE) &&
	!secret.includes(SHOWN_FOR_AN_EMPTY_ONE);

/**
 * Reads the two fields of the credential. A blank line and n8n's own texts are no secrets: anybody
 * could sign with them. Spaces around a secret are part of it, as they were given to the service.
 */
export function webhookSecretsOf(current: string, previous: string): WebhookSecrets {
	const secrets = [current, ...previous.split(/\r?\n/)];
	return {
		webhookSecret: isUsable(current) ? current : '',
		verificationSecrets: secrets.filter(isUsable),
		areIncomplete: secrets.some((secret) => secret.includes(SHOWN_FOR_A_STORED_ONE)),
	};
}

/** Why nothing can be signed with these secrets, in the user's words; undefined when it can. */
export function signingFault({ webhookSecret, areIncomplete }: WebhookSecrets) {
	if (webhookSecret !== '') return undefined;
	return areIncomplete ? INCOMPLETE_SECRETS : MISSING_SECRET;
}

/** Why not every genuine notification can be verified; undefined when it can. */
export function verifyingFault(secrets: WebhookSecrets) {
	return secrets.areIncomplete ? INCOMPLETE_SECRETS : signingFault(secrets);
}
