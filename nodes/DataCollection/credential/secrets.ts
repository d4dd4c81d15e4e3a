/**
 * The beginnings of the texts that n8n shows in place of a stored password and of an empty one. n8n
 * restores the stored value only if the whole field was left unchanged. If somebody adds a line
 * below the dots, n8n's own text is saved, and a publicly known text must not become a secret.
 */
const SHOWN_FOR_A_STORED_ONE = '__n8n_BLANK_VALUE_';
const SHOWN_FOR_AN_EMPTY_ONE = '__n8n_EMPTY_VALUE_';

/** The message for the person who edited the credential. */
export const INCOMPLETE_SECRETS = {
	message: 'A webhook secret was lost when the credential was edited',
	description:
		'n8n hides stored secrets and keeps them only if you leave the whole field unchanged. Open the Data Collection API credential and enter Webhook Secret and every line of Previous Webhook Secrets again.',
};

const MISSING_SECRET = {
	message: 'The credential has no webhook secret: enter one in the Data Collection API credential',
	description:
		'Enter a Webhook Secret: it signs notifications, and without it none can be verified.',
};

export interface WebhookSecrets {
	/** The secret that Create sends to the service. Empty if none is set. */
	webhookSecret: string;
	/** The current and the previous secrets, without blank ones. The trigger accepts each of them. */
	verificationSecrets: string[];
	/** Whether a secret was lost when the credential was edited, and n8n's text was saved instead. */
	areIncomplete: boolean;
}

/** Whether a text is invisible: only spaces, control, format and filler characters. */
const isBlank = (text: string) => /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);

const isUsable = (secret: string) =>
	!isBlank(secret) &&
	!secret.includes(SHOWN_FOR_A_STORED_ONE) &&
	!secret.includes(SHOWN_FOR_AN_EMPTY_ONE);

/**
 * Reads the two fields of the credential. Blank lines and n8n's own texts are not secrets: anybody
 * could sign with them. Spaces around a secret are part of it, because the service got them, too.
 */
export function webhookSecretsOf(current: string, previous: string): WebhookSecrets {
	const secrets = [current, ...previous.split(/\r?\n/)];
	return {
		webhookSecret: isUsable(current) ? current : '',
		verificationSecrets: secrets.filter(isUsable),
		areIncomplete: secrets.some((secret) => secret.includes(SHOWN_FOR_A_STORED_ONE)),
	};
}

/** Why nothing can be signed with these secrets, in words for the user; undefined if it can. */
export function signingFault({ webhookSecret, areIncomplete }: WebhookSecrets) {
	if (webhookSecret !== '') return undefined;
	return areIncomplete ? INCOMPLETE_SECRETS : MISSING_SECRET;
}

/** Why some genuine notifications cannot be verified; undefined if all can. */
export function verifyingFault(secrets: WebhookSecrets) {
	return secrets.areIncomplete ? INCOMPLETE_SECRETS : signingFault(secrets);
}
