import { credentialType, smtpType, type Credentials } from './examples.mts';
import type { N8nRest } from './rest.mts';
import type { State } from './state.mts';
import type { Credential, Json } from './types.mts';

export interface Service {
	/** API base URL and collect URL of staging; those of production end with /production. */
	url: string;
	/** Staging's. */
	apiKey: string;
	tokenId: string;
}

/** What n8n's SMTP credential has to hold to send to a mailbox of the sandbox. */
export function smtpFields(port: number): Json {
	const host = '127.0.0.1';
	return { user: '', password: '', host, port, secure: false, disableStartTls: true, hostName: '' };
}

/**
 * The credentials for the service and for the mailbox: made when they are missing, left as the
 * person has changed them otherwise, but for ports that have moved.
 */
export async function ensureCredentials(
	rest: N8nRest,
	state: State,
	{ service, smtpPort }: { service: Service; smtpPort: number },
): Promise<Credentials> {
	const all = await rest.listCredentials();
	const ensure = async (id = '', name: string, type: string, data: Json, moved?: Json) => {
		const known = all.find((credential) => credential.id === id);
		if (known === undefined) return await rest.createCredential(name, type, data);
		return moved === undefined ? known : await change(rest, known, moved);
	};
	const { url, apiKey, tokenId } = service;
	const { webhookSecret, credentialId, smtpCredentialId } = state;
	const addresses = {
		stagingBaseUrl: url,
		stagingCollectUrl: url,
		productionBaseUrl: `${url}/production`,
		productionCollectUrl: `${url}/production`,
	};
	const secrets = { apiKey, tokenId, webhookSecret, previousWebhookSecrets: '' };
	const data = { environment: 'staging', ...addresses, ...secrets };
	const moved = state.serviceUrl === url ? undefined : addresses;
	const movedPort = state.smtpPort === smtpPort ? undefined : { port: smtpPort };
	const mails = smtpFields(smtpPort);
	return {
		dataCollection: await ensure(
			credentialId,
			'Data Collection (Sandbox)',
			credentialType,
			data,
			moved,
		),
		smtp: await ensure(smtpCredentialId, 'Mailbox (Sandbox)', smtpType, mails, movedPort),
	};
}

async function change(rest: N8nRest, known: Credential, fields: Json): Promise<Credential> {
	const { data } = await rest.getCredential(known.id);
	return await rest.updateCredential(known, { ...data, ...fields });
}
