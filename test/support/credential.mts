import { randomBytes } from 'node:crypto';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import type { Credential, Json } from '../../sandbox/n8n/types.mts';
import { rest as shared, service } from './environment.mts';
import { KEYS } from './service/api.mts';
import type { Service } from './service/service.mts';

const shortestRecognisable = 8;
const secretTexts = new Set<string>();

/** Records a text that must appear neither in n8n's logs nor in what it stores; skips short ones. */
export function forbid(...secrets: string[]): void {
	for (const text of secrets) if (text.length >= shortestRecognisable) secretTexts.add(text);
}

/** Every text that was recorded, also as written inside JSON, and inside JSON in JSON. */
export function forbidden(): string[] {
	const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
	return [...secretTexts].flatMap((text) => [text, quoted(text), quoted(quoted(text))]);
}

/** A webhook secret of the recommended kind. */
export const newSecret = () => `whsec-${randomBytes(24).toString('base64url')}`;

/** The fields of a credential that lead to a service. */
export const addressesOf = ({ url }: Pick<Service, 'url'>) => {
	return { productionBaseUrl: url, productionCollectUrl: url };
};

/**
 * Stores a credential for the service in n8n, with these fields changed, and records its
 * secrets as texts that must not appear elsewhere.
 */
export async function createCredential(
	name: string,
	changes: Json = {},
	rest = shared,
): Promise<Credential> {
	const secrets = { ...KEYS, webhookSecret: '', previousWebhookSecrets: '' };
	const fields = {
		environment: 'production',
		...addressesOf(service),
		...secrets,
		...changes,
	} as Json;
	for (const field of Object.keys(secrets)) forbid(...String(fields[field]).split('\n'));
	return await rest.createCredential(name, credentialType, fields);
}

/** Removes all credentials of our type: the editor selects one by itself if it is the only one. */
export async function removeCredentials(): Promise<void> {
	for (const { id, type } of await shared.listCredentials()) {
		if (type === credentialType) await shared.send('DELETE', `/rest/credentials/${id}`);
	}
}
