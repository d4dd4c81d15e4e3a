import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	INode,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Clock } from '../clock';
import type { Sanitizer } from '../sanitize';
import { createSanitizer } from '../sanitize';
import type { Addresses } from './address';
import { readAddresses } from './address';
import type { Fault, WebhookSecrets } from './secrets';
import { checkKeys, faultsOf, joinFaults, secretFaults, webhookSecretsOf } from './secrets';

/** The credential type of both nodes. */
export const CREDENTIAL = 'dataCollectionApi';

/** How long triggers remember a credential, in milliseconds, and for how many nodes at most. */
const REMEMBERED_FOR = 2_000;
const REMEMBERED_NODES = 100;

/** The credential's contents: addresses without trailing slashes, and the webhook secrets. */
export interface Connection extends WebhookSecrets {
	environment: string;
	baseUrl: string;
	collectUrl: string;
	/** Hides the credential's secrets, which must not appear in any item, message or log. */
	sanitizer: Sanitizer;
	/** For n8n's authentication. Read only once, so that the keys and the addresses belong together. */
	credential: ICredentialDataDecryptedObject;
}

/**
 * Reads the credential. Expressions in it are evaluated for the first item. Throws a
 * NodeOperationError that names the field if an address of the chosen environment or a key cannot be
 * used.
 */
export async function readConnection(
	context: IExecuteFunctions | IWebhookFunctions | IHookFunctions,
): Promise<Connection> {
	const credential = await context.getCredentials(CREDENTIAL);
	const addresses = readAddresses(credential);
	if (!addresses.ok) throw faultError(context, addresses.fault);
	const keys = checkKeys(credential);
	if (!keys.ok) throw faultError(context, keys.fault);
	const { apiKey, tokenId, webhookSecret, previousWebhookSecrets } = credential;
	const secrets = webhookSecretsOf(textOf(webhookSecret), textOf(previousWebhookSecrets));
	// The service may still have a webhook secret that is too short to be used.
	const lines = textOf(previousWebhookSecrets).split(/\r?\n/);
	const given = [apiKey, tokenId, webhookSecret, ...lines].map(textOf);
	const { environment, baseUrl, collectUrl } = addresses;
	return {
		environment,
		baseUrl,
		collectUrl,
		...secrets,
		// HTTP drops spaces around a header's value, so the service would repeat a key without them.
		sanitizer: createSanitizer(given.map((secret) => secret.trim())),
		credential,
	};
}

/** The addresses of a credential of which all can be used, or everything that is wrong with it. */
export function checkCredential(credential: ICredentialDataDecryptedObject): Addresses {
	const { webhookSecret, previousWebhookSecrets } = credential;
	const addresses = readAddresses(credential);
	const faults = [
		...faultsOf([addresses, checkKeys(credential)]),
		...secretFaults(textOf(webhookSecret), textOf(previousWebhookSecrets)),
	];
	return faults.length === 0 ? addresses : { ok: false, fault: joinFaults(faults) };
}

const faultError = (context: { getNode: () => INode }, { message, description }: Fault) =>
	new NodeOperationError(context.getNode(), message, { description });

const remembered = new Map<string, { connection: Promise<Connection>; until: number }>();

/**
 * Reads the credential for a delivery to a trigger. In production, it is remembered for 2 seconds:
 * n8n prepares a virtual machine for each read, so deliveries that arrive together share one. A
 * failed read is not remembered. Test and manual executions read it every time.
 */
export async function readTriggerConnection(
	context: IWebhookFunctions,
	clock: Clock,
): Promise<Connection> {
	if (context.getMode() !== 'webhook') return await readConnection(context);
	const { id: nodeId, credentials } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, nodeId, credentials?.[CREDENTIAL]]);
	const known = remembered.get(key);
	if (known !== undefined && clock.now() < known.until) return await known.connection;

	forgetOld(clock.now());
	const own = { connection: readConnection(context), until: clock.now() + REMEMBERED_FOR };
	remembered.set(key, own);
	own.connection.catch(() => {
		if (remembered.get(key) === own) remembered.delete(key);
	});
	return await own.connection;
}

/** Makes room for one more. Of a trigger that gets no more deliveries, the secrets go here, too. */
function forgetOld(now: number): void {
	for (const [key, { until }] of remembered) {
		if (until <= now || remembered.size >= REMEMBERED_NODES) remembered.delete(key);
	}
}

/** Also takes a number: an expression may give one for a token ID that has only digits. */
const textOf = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';
