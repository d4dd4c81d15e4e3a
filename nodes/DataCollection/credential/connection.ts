import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { userError } from '../errors';
import { clock } from '../clock';
import { err, errorsOf, type Explanation, joined, type Result } from '../result';
import { createSanitizer, type Sanitizer } from '../sanitize';
import { textOf } from '../values';
import { type Addresses, addressesOf } from './address';
import { keysOf } from './keys';
import { secretErrors, secretLines, type WebhookSecrets, webhookSecretsOf } from './secrets';

/** The credential type of both nodes. */
export const CREDENTIAL = 'dataCollectionApi';

/** How long triggers remember a credential, in milliseconds, and for how many nodes at most. */
const REMEMBERED_FOR = 2_000;
const REMEMBERED_NODES = 100;

/** The credential's contents: the addresses of its environment, and the webhook secrets. */
export interface Connection extends Addresses, WebhookSecrets {
	/** Hides the credential's secrets, which must not appear in any item, message or log. */
	sanitizer: Sanitizer;
	/** For n8n's authentication. Read only once, so that the keys and the addresses belong together. */
	credential: ICredentialDataDecryptedObject;
}

/**
 * Gets the credential. Expressions in it are evaluated for the first item. Throws a
 * NodeOperationError that names the field if an address of the chosen environment or a key cannot be
 * used.
 */
export async function getConnection(
	context: IExecuteFunctions | IWebhookFunctions | IHookFunctions,
): Promise<Connection> {
	const credential = await context.getCredentials(CREDENTIAL).catch((error: Error) => {
		throw new NodeOperationError(context.getNode(), error);
	});
	const addresses = addressesOf(credential);
	const keys = keysOf(credential);
	if (!addresses.ok) throw userError(addresses.error);
	if (!keys.ok) throw userError(keys.error);
	const { apiKey, tokenId } = credential;
	// The service may still have a webhook secret that is too short to be used.
	const secrets = [textOf(apiKey), textOf(tokenId), ...secretLines(credential)];
	return {
		...addresses.value,
		...webhookSecretsOf(credential),
		// Whoever repeats a secret may have dropped the spaces around it.
		sanitizer: createSanitizer(secrets.map((secret = '') => secret.trim())),
		credential,
	};
}

/** The addresses of a credential of which all can be used, or everything that is wrong with it. */
export function checkCredential(
	credential: ICredentialDataDecryptedObject,
): Result<Addresses, Explanation> {
	const addresses = addressesOf(credential);
	const errors = [...errorsOf([addresses, keysOf(credential)]), ...secretErrors(credential)];
	return errors.length === 0 ? addresses : err(joined(errors));
}

const remembered = new Map<string, { connection: Promise<Connection>; until: number }>();

/**
 * Gets the credential for a delivery to a trigger. In production, it is remembered for 2 seconds:
 * n8n prepares a virtual machine for each read, so deliveries that arrive together share one. A
 * failed read is not remembered. Test and manual executions read it every time.
 */
export async function getTriggerConnection(context: IWebhookFunctions): Promise<Connection> {
	if (context.getMode() !== 'webhook') return await getConnection(context);
	const { id: nodeId, credentials } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, nodeId, credentials?.[CREDENTIAL]]);
	const known = remembered.get(key);
	if (known !== undefined && clock.now() < known.until) return await known.connection;

	forgetOld(clock.now());
	const own = { connection: getConnection(context), until: clock.now() + REMEMBERED_FOR };
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
