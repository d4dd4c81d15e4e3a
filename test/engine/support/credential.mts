import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';
import { ICredentialsHelper, NodeHelpers } from 'n8n-workflow';
import { DataCollectionApi } from '../../../credentials/DataCollectionApi.credentials.ts';

/** What a fresh sandbox service accepts, and a webhook secret of our own. */
export const CREDENTIAL = {
	environment: 'production',
	productionBaseUrl: 'https://api.example.com',
	productionCollectUrl: 'https://collect.example.com',
	apiKey: 'sandbox-api-key',
	tokenId: 'sandbox-token-id',
	webhookSecret: 'the-webhook-secret-of-the-tests',
} satisfies ICredentialDataDecryptedObject;

/** Everything of a credential that must appear nowhere. */
export const SECRETS = [CREDENTIAL.apiKey, CREDENTIAL.tokenId, CREDENTIAL.webhookSecret];

const TYPE = new DataCollectionApi();

/** For a webhook n8n evaluates a credential in an empty workflow: what needs its data is empty. */
const withoutData = (stored: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject =>
	Object.fromEntries(
		Object.entries(stored).map(([name, value]) => [
			name,
			typeof value === 'string' && /^=.*\$(?:json|input|\()/.test(value) ? '' : value,
		]),
	);

/**
 * One credential, read as n8n reads it: hidden fields dropped and defaults filled by n8n-workflow.
 * n8n's own helper needs its database.
 */
export class OneCredential extends ICredentialsHelper {
	private readonly stored: ICredentialDataDecryptedObject;
	private readonly onRead: () => void;

	/** `onRead` runs whenever n8n reads it, and may throw as n8n's own helper may. */
	constructor(stored: ICredentialDataDecryptedObject, onRead = () => {}) {
		super();
		this.stored = stored;
		this.onRead = onRead;
	}

	async getDecrypted(
		...[, , , mode, executeData, , values]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		this.onRead();
		const fields = NodeHelpers.getNodeParameters(
			TYPE.properties,
			structuredClone(this.stored) as INodeParameters,
			true,
			false,
			null,
			null,
		);
		const stored = fields as ICredentialDataDecryptedObject;
		if (values === undefined) return await Promise.resolve(withoutData(stored));
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
		return workflow.expression.getParameterValue(
			stored as never,
			runExecutionData,
			runIndex,
			itemIndex,
			node.name,
			connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	}

	async getCredentials(): Promise<never> {
		return await Promise.reject(new Error('The tests have no stored credentials'));
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await TYPE.authenticate(credentials, requestOptions);
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties() {
		return TYPE.properties;
	}

	async preAuthentication() {
		return await Promise.resolve(undefined);
	}

	async runPreAuthentication() {
		return await Promise.resolve(undefined);
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}
}
