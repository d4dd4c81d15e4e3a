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

interface Wanted {
	id: string | undefined;
	name: string;
	type: string;
	/** What it is made with. */
	data: Json;
	/** The fields that follow what has moved to another port since; undefined when nothing has. */
	moved: Json | undefined;
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
	const { url, apiKey, tokenId } = service;
	const { webhookSecret } = state;
	const addresses = {
		stagingBaseUrl: url,
		stagingCollectUrl: url,
		productionBaseUrl: `${url}/production`,
		productionCollectUrl: `${url}/production`,
	};
	const keys = { environment: 'staging', apiKey, tokenId, webhookSecret };
	const dataCollection = await ensure(rest, {
		id: state.credentialId,
		name: 'Data Collection (Sandbox)',
		type: credentialType,
		data: { ...addresses, ...keys, previousWebhookSecrets: '' },
		moved: state.serviceUrl === url ? undefined : addresses,
	});
	const smtp = await ensure(rest, {
		id: state.smtpCredentialId,
		name: 'Mailbox (Sandbox)',
		type: smtpType,
		data: smtpFields(smtpPort),
		moved: state.smtpPort === smtpPort ? undefined : { port: smtpPort },
	});
	return { dataCollection, smtp };
}

async function ensure(rest: N8nRest, wanted: Wanted): Promise<Credential> {
	const { id, name, type, data, moved } = wanted;
	const known = (await rest.listCredentials()).find((credential) => credential.id === id);
	if (known === undefined) return await rest.createCredential(name, type, data);
	if (moved === undefined) return known;
	const stored = await rest.getCredential(known.id);
	return await rest.updateCredential(known, { ...stored.data, ...moved });
}
