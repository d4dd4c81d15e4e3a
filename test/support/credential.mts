import { randomBytes } from 'node:crypto';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import type { Credential, Json } from '../../sandbox/n8n/types.mts';
import { serviceCredential } from '../../sandbox/shared/service.mts';
import { rest as shared, serviceUrl } from './environment.mts';
import { forbid } from './forbidden.mts';

/** A webhook secret of the recommended kind. */
export const newSecret = () => `whsec-${randomBytes(24).toString('base64url')}`;

/** The fields of a credential for the sandbox service. */
function credentialFields(changes: Json = {}): Json {
	return {
		environment: 'production',
		productionBaseUrl: serviceUrl,
		productionCollectUrl: serviceUrl,
		stagingBaseUrl: '',
		stagingCollectUrl: '',
		...serviceCredential,
		webhookSecret: '',
		previousWebhookSecrets: '',
		...changes,
	};
}

const secretFields = ['apiKey', 'tokenId', 'webhookSecret', 'previousWebhookSecrets'];

/** Removes all credentials of our type: the editor selects one by itself if it is the only one. */
export async function removeCredentials(): Promise<void> {
	for (const { id, type } of await shared.listCredentials()) {
		if (type === credentialType) await shared.send('DELETE', `/rest/credentials/${id}`);
	}
}

/** Stores a credential in n8n and records its secrets as texts that must not appear elsewhere. */
export async function createCredential(
	name: string,
	changes: Json = {},
	rest = shared,
): Promise<Credential> {
	const fields = credentialFields(changes);
	for (const field of secretFields) forbid(...String(fields[field]).split('\n'));
	return await rest.createCredential(name, credentialType, fields);
}
