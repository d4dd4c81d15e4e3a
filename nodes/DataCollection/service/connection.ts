import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type Explanation, joinedErrors } from '../basics/explanation';
import { err, errorsOf, type Result } from '../basics/result';
import { textOf } from '../basics/values';
import { apiKeysOf } from './apiKeys';
import { type Addresses, addressesOf } from './credentialUrls';
import { createRedactor, type Redactor } from './redact';
import { secretErrors, secretLines, type WebhookSecrets, webhookSecretsOf } from './webhookSecrets';

export const CREDENTIAL = 'dataCollectionApi';

export interface Connection extends Addresses, WebhookSecrets {
	redactor: Redactor;
	/** Read only once, so that the keys and the addresses belong together. */
	credential: { type: string; data: ICredentialDataDecryptedObject };
}

export function connectionOf(
	credential: ICredentialDataDecryptedObject,
): Result<Connection, Explanation> {
	const addresses = addressesOf(credential);
	const keys = apiKeysOf(credential);
	if (!addresses.ok) return addresses;
	if (!keys.ok) return keys;
	const { apiKey, tokenId } = credential;
	// The service may still have a webhook secret that is too short to be used.
	const secrets = [textOf(apiKey), textOf(tokenId), ...secretLines(credential)];
	// Whoever repeats a secret may have dropped the spaces around it.
	const redactor = createRedactor(secrets.map((secret = '') => secret.trim()));
	const own = { redactor, credential: { type: CREDENTIAL, data: credential } };
	return { ok: true, value: { ...addresses.value, ...webhookSecretsOf(credential), ...own } };
}

/** The addresses if everything in the credential can be used, or all that is wrong with it. */
export function checkCredential(
	credential: ICredentialDataDecryptedObject,
): Result<Addresses, Explanation> {
	const addresses = addressesOf(credential);
	const errors = [...errorsOf([addresses, apiKeysOf(credential)]), ...secretErrors(credential)];
	return errors.length === 0 ? addresses : err(joinedErrors(errors));
}
