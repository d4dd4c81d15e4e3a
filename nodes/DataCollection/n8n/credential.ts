import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';

/** Gets the node's credential of this type. Expressions in it are evaluated for the first item. */
export const getCredential = async (
	context: IExecuteFunctions | IWebhookFunctions | IHookFunctions,
	type: string,
): Promise<ICredentialDataDecryptedObject> =>
	await context.getCredentials(type).catch((error: Error) => {
		throw new NodeOperationError(context.getNode(), error);
	});
