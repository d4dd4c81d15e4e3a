/**
 * How the text begins that n8n shows in place of a stored secret. It is public, and n8n puts the
 * secret back only when the whole field was left as it was: whoever adds a line below the dots
 * would otherwise make it a secret that everybody knows.
 */
const HIDDEN_BY_N8N = '__n8n_BLANK_VALUE_';

/** What to tell the person who edited the credential. */
export const INCOMPLETE_SECRETS = {
	message: 'A webhook secret was lost when the credential was edited',
	description:
		'n8n does not show stored secrets and keeps them only if the whole field is left alone. Open the Data Collection API credential and enter Webhook Secret and every line of Previous Webhook Secrets again.',
};

const isUsable = (secret: string) => secret !== '' && !secret.includes(HIDDEN_BY_N8N);

export interface WebhookSecrets {
	/** Signs what Create asks for; empty when none is set. */
	webhookSecret: string;
	/** The current and the previous ones, none of them empty; the trigger accepts each. */
	verificationSecrets: string[];
	/** Whether a secret was lost when the credential was edited: n8n's text stands in its place. */
	areIncomplete: boolean;
}

/** Reads the two fields of the credential; what n8n put there itself is no secret. */
export function webhookSecretsOf(current: string, previous: string): WebhookSecrets {
	const secrets = [current, ...previous.split(/\r?\n/)];
	return {
		webhookSecret: isUsable(current) ? current : '',
		verificationSecrets: secrets.filter(isUsable),
		areIncomplete: secrets.some((secret) => secret.includes(HIDDEN_BY_N8N)),
	};
}
