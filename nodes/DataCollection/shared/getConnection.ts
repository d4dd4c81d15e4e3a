import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { getCredential } from '../n8n/credential';
import { orThrow } from '../n8n/errors';
import { type Connection, connectionOf, CREDENTIAL } from '../service/connection';

/** Throws a UserError that says what is wrong with the credential. */
export const getConnection = async (
	context: IExecuteFunctions | IWebhookFunctions | IHookFunctions,
): Promise<Connection> => orThrow(connectionOf(await getCredential(context, CREDENTIAL)));
