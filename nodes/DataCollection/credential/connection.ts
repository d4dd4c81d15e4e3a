import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Clock } from '../clock';
import type { Sanitizer } from '../sanitize';
import { createSanitizer } from '../sanitize';
import type { ParsedAddress } from './address';
import { addressesOf } from './address';
import type { WebhookSecrets } from './secrets';
import { webhookSecretsOf } from './secrets';

/** The one credential type of both nodes. */
export const CREDENTIAL = 'dataCollectionApi';

/** How long a trigger remembers a credential, in milliseconds, and for how many nodes at most. */
const REMEMBERED_FOR = 2_000;
const REMEMBERED_NODES = 100;

/** What the credential says: addresses without trailing slashes, and the webhook secrets. */
export interface Connection extends WebhookSecrets {
	environment: string;
	baseUrl: string;
	collectUrl: string;
	/** Hides whatever of the credential may appear in no item, message or log. */
	sanitizer: Sanitizer;
	/** What n8n authenticates a request with: read once, so that keys and address belong together. */
	credential: ICredentialDataDecryptedObject;
}

/**
 * Reads the credential; where it holds expressions, they count for the first item. Throws a
 * NodeOperationError that names the field when an address of the chosen environment cannot be used.
 */
export async function readConnection(
	context: IExecuteFunctions | IWebhookFunctions | IHookFunctions,
): Promise<Connection> {
	const credential = await context.getCredentials(CREDENTIAL);
	const { environment, baseUrl, collectUrl } = addressesOf(credential);
	const usable = (label: string, parsed: ParsedAddress) => {
		if (parsed.ok) return parsed.address;
		const message = `The ${label} (${environment}) ${parsed.reason}`;
		const description = `Open the Data Collection API credential and correct "${label}". Enter the address for ${environment}, e.g. https://api.example.com/v1`;
		throw new NodeOperationError(context.getNode(), message, { description });
	};
	const { apiKey, tokenId, webhookSecret, previousWebhookSecrets } = credential;
	const secrets = webhookSecretsOf(textOf(webhookSecret), textOf(previousWebhookSecrets));
	const given = [textOf(apiKey), textOf(tokenId), ...secrets.verificationSecrets];
	return {
		environment,
		baseUrl: usable('API Base URL', baseUrl),
		collectUrl: usable('Collect URL', collectUrl),
		...secrets,
		// HTTP drops spaces around a header's value, so a service would quote keys without them.
		sanitizer: createSanitizer(given.map((secret) => secret.trim())),
		credential,
	};
}

const remembered = new Map<string, Promise<Connection>>();

/**
 * Reads the credential for a delivery to a trigger. In production it is remembered for 2 seconds,
 * because n8n prepares a virtual machine for every read: deliveries that come together share one.
 * A failed read is not remembered, and a test or manual run reads for itself.
 */
export async function readTriggerConnection(
	context: IWebhookFunctions,
	clock: Clock,
): Promise<Connection> {
	if (context.getMode() !== 'webhook') return await readConnection(context);
	const { id: nodeId, credentials } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, nodeId, credentials?.[CREDENTIAL]]);
	const known = remembered.get(key);
	if (known !== undefined) return await known;

	const connection = readConnection(context);
	const forget = () => {
		if (remembered.get(key) === connection) remembered.delete(key);
	};
	const [oldest] = remembered.keys();
	if (oldest !== undefined && remembered.size >= REMEMBERED_NODES) remembered.delete(oldest);
	remembered.set(key, connection);
	clock.timeout(REMEMBERED_FOR).addEventListener('abort', forget);
	connection.catch(forget);
	return await connection;
}

/** An expression may give a number, as which a token ID of digits can be entered. */
const textOf = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';
