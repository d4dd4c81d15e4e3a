import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ParsedAddress } from '../shared/address';
import { addressesOf } from '../shared/address';
import type { Sanitizer } from '../shared/sanitize';
import { createSanitizer } from '../shared/sanitize';
import type { WebhookSecrets } from '../shared/webhookSecrets';
import { webhookSecretsOf } from '../shared/webhookSecrets';

/** The one credential type of both nodes. */
export const CREDENTIAL = 'dataCollectionApi';

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

/** Every n8n context that reads the credential. */
export type CredentialContext = IExecuteFunctions | IWebhookFunctions | IHookFunctions;

const credentials = new WeakMap<object, Promise<ICredentialDataDecryptedObject>>();

/**
 * Reads the credential once for all items of an execution, as n8n's own request helper does: where
 * it holds expressions, they count for the first item.
 */
async function credentialOf(this: CredentialContext): Promise<ICredentialDataDecryptedObject> {
	const credential = credentials.get(this) ?? this.getCredentials(CREDENTIAL);
	credentials.set(this, credential);
	return await credential;
}

/**
 * Reads the credential for an item. Throws a NodeOperationError that names the field when one of
 * the two addresses of the chosen environment cannot be used.
 */
export async function connectionOf(
	this: CredentialContext,
	itemIndex?: number,
): Promise<Connection> {
	const credential = await credentialOf.call(this);
	const { environment, baseUrl, collectUrl } = addressesOf(credential);
	const webhookSecrets = webhookSecretsOf(
		textOf(credential.webhookSecret),
		textOf(credential.previousWebhookSecrets),
	);
	const { verificationSecrets } = webhookSecrets;

	const usable = (label: string, parsed: ParsedAddress) => {
		if (parsed.ok) return parsed.address;
		throw new NodeOperationError(this.getNode(), `The ${label} (${environment}) ${parsed.reason}`, {
			itemIndex,
			description: `Open the Data Collection API credential and correct "${label}". Enter the address for ${environment}, e.g. https://api.example.com/v1`,
		});
	};

	return {
		environment,
		baseUrl: usable('API Base URL', baseUrl),
		collectUrl: usable('Collect URL', collectUrl),
		...webhookSecrets,
		// HTTP drops spaces around a header's value, so a service would quote keys without them.
		sanitizer: createSanitizer(
			[textOf(credential.apiKey), textOf(credential.tokenId), ...verificationSecrets].map(
				(secret) => secret.trim(),
			),
		),
		credential,
	};
}

/** An expression may give a number, as which a token ID of digits can be entered. */
const textOf = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';
