import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import type { Explanation, Result } from '../basics/result';
import { orThrow } from './errors';
import { type WithContext, workflowOf } from './graph';

/** The credential type of both nodes. */
export const CREDENTIAL = 'dataCollectionApi';

/**
 * Gets what `parse` makes of the credential. Expressions in it are evaluated for the first item. Throws a
 * UserError that says what is wrong with it.
 */
export async function getCredential<T>(
	context: IExecuteFunctions | IWebhookFunctions | IHookFunctions,
	parse: (credential: ICredentialDataDecryptedObject) => Result<T, Explanation>,
): Promise<T> {
	const credential = await context.getCredentials(CREDENTIAL).catch((error: Error) => {
		throw new NodeOperationError(context.getNode(), error);
	});
	return orThrow(parse(credential));
}

/**
 * The ID and the name of the credential that is selected in a node of this workflow, by default this one.
 * Undefined if that cannot be known. Nothing is decrypted.
 */
export function selectedCredential(
	{ context }: WithContext,
	nodeName = context.getNode().name,
): { id: string; name: string } | undefined {
	const { id, name } = workflowOf(context)?.getNode(nodeName)?.credentials?.[CREDENTIAL] ?? {};
	return id && name !== undefined ? { id, name } : undefined;
}
