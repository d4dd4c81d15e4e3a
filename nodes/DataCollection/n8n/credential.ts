import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { workflowOf } from './execution';

/** Gets the node's credential of this type. Expressions in it are evaluated for the first item. */
export const getCredential = async (
	context: IExecuteFunctions | IWebhookFunctions | IHookFunctions,
	type: string,
): Promise<ICredentialDataDecryptedObject> =>
	await context.getCredentials(type).catch((error: Error) => {
		throw new NodeOperationError(context.getNode(), error);
	});

/**
 * The ID and the name of the credential that is selected in a node of this workflow, by default this one.
 * Undefined if that cannot be known. Nothing is decrypted.
 */
export function selectedCredential(
	context: IExecuteFunctions,
	nodeName = context.getNode().name,
): { id: string; name: string } | undefined {
	const { credentials = {} } = workflowOf(context)?.getNode(nodeName) ?? {};
	const [{ id, name } = { id: null, name: undefined }] = Object.values(credentials);
	return id && name !== undefined ? { id, name } : undefined;
}
