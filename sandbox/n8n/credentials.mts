import { credentialType, smtpType, type Credentials } from './examples.mts';
import type { N8nRest } from './rest.mts';
import type { State } from './state.mts';
import type { Json } from './types.mts';

/** Its keys, and the address of its API and its guest page. */
export type Service = Record<'url' | 'apiKey' | 'tokenId', string>;

/** The fields of an n8n SMTP credential that sends to the sandbox's mailbox. */
export function smtpFields(port: number): Json {
	const host = '127.0.0.1';
	return { user: '', password: '', host, port, secure: false, disableStartTls: true, hostName: '' };
}

/** Creates missing credentials; existing ones get the addresses of this start. */
export async function ensureCredentials(
	rest: N8nRest,
	{ webhookSecret, credentialId, smtpCredentialId }: State,
	{ service, smtpPort }: { service: Service; smtpPort: number },
): Promise<Credentials> {
	const all = await rest.listCredentials();
	const ensure = async (id = '', name: string, type: string, fields: Json, addresses: Json) => {
		const known = all.find((credential) => credential.id === id);
		if (known === undefined) return await rest.createCredential(name, type, fields);
		const { data } = await rest.getCredential(known.id);
		return await rest.updateCredential(known, { ...data, ...addresses });
	};
	const { url, apiKey, tokenId } = service;
	const addresses = { productionBaseUrl: url, productionCollectUrl: url };
	const secrets = { apiKey, tokenId, webhookSecret, previousWebhookSecrets: '' };
	const fields = { environment: 'production', ...addresses, ...secrets };
	const mails = smtpFields(smtpPort);
	const [name, smtpName] = ['Data Collection (Sandbox)', 'Mailbox (Sandbox)'];
	return {
		dataCollection: await ensure(credentialId, name, credentialType, fields, addresses),
		smtp: await ensure(smtpCredentialId, smtpName, smtpType, mails, { port: smtpPort }),
	};
}
