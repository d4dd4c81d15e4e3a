import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { workflowOf } from './executionData';

/** n8n evaluates expressions in the credential for the first item. */
export const getCredential = async (
	context: IExecuteFunctions | IWebhookFunctions | IHookFunctions,
	type: string,
): Promise<ICredentialDataDecryptedObject> =>
	await context.getCredentials(type).catch((error: Error) => {
		throw new NodeOperationError(context.getNode(), error);
	});

/** Of this node or another node. Undefined if that cannot be known. Decrypts nothing. */
export function selectedCredential(
	context: IExecuteFunctions,
	nodeName = context.getNode().name,
): { id: string; name: string } | undefined {
	const { credentials = {} } = workflowOf(context)?.getNode(nodeName) ?? {};
	const [{ id, name } = { id: null, name: undefined }] = Object.values(credentials);
	return id && name !== undefined ? { id, name } : undefined;
}
