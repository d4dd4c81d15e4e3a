import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { DataCollectionApi } from '../../../credentials/DataCollectionApi.credentials.ts';
import { SECRET } from '../../support/delivery.mts';

/** What a fresh sandbox service accepts, and the webhook secret of the tests. */
export const CREDENTIAL = {
	environment: 'production',
	productionBaseUrl: 'https://api.example.com',
	productionCollectUrl: 'https://collect.example.com',
	apiKey: 'sandbox-api-key',
	tokenId: 'sandbox-token-id',
	webhookSecret: SECRET,
} satisfies ICredentialDataDecryptedObject;

/** The parts of the credential that must appear nowhere. */
export const SECRETS = [CREDENTIAL.apiKey, CREDENTIAL.tokenId, CREDENTIAL.webhookSecret];

const TYPE = new DataCollectionApi();

const helper: Partial<ICredentialsHelper> = {
	authenticate: async (credentials, _typeName, options) =>
		await TYPE.authenticate(credentials, options as IHttpRequestOptions),
	getParentTypes: () => [],
	isCredentialUsableByNode: () => true,
	getCredentialsProperties: () => TYPE.properties,
	preAuthentication: async () => await Promise.resolve(undefined),
};

/**
 * CREDENTIAL with changes, read as n8n reads it: n8n-workflow drops hidden fields and fills in
 * defaults. n8n's own helper needs its database. `onRead` runs whenever n8n reads it, and may throw.
 */
export function credentialWith(
	changes: ICredentialDataDecryptedObject = {},
	onRead = () => {},
): ICredentialsHelper {
	const stored = { ...CREDENTIAL, ...changes };
	const getDecrypted: ICredentialsHelper['getDecrypted'] = async (...read) => {
		onRead();
		const [, , , mode, executeData, , values] = read;
		const given = structuredClone(stored) as INodeParameters;
		const fields = NodeHelpers.getNodeParameters(TYPE.properties, given, true, false, null, null);
		// For a webhook, n8n has no data for expressions.
		if (values === undefined) return await Promise.resolve(fields as typeof stored);
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
		return workflow.expression.getParameterValue(
			fields,
			runExecutionData,
			runIndex,
			itemIndex,
			node.name,
			connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	};
	return { ...helper, getDecrypted } as ICredentialsHelper;
}
