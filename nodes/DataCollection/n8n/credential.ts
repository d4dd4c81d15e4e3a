import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';

/** The credential type of both nodes. */
export const CREDENTIAL = 'dataCollectionApi';

/** Gets the credential. Expressions in it are evaluated for the first item. */
export const getCredential = async (
	context: IExecuteFunctions | IWebhookFunctions | IHookFunctions,
): Promise<ICredentialDataDecryptedObject> =>
	await context.getCredentials(CREDENTIAL).catch((error: Error) => {
		throw new NodeOperationError(context.getNode(), error);
	});
