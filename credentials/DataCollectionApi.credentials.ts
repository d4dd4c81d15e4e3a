import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { apiKeysOf } from '../nodes/DataCollection/service/apiKeys';
import {
	TEST_PATH,
	TEST_RULES,
	testRequestOf,
	UNEXPECTED_STATUSES,
} from '../nodes/DataCollection/service/credentialTest';

const addressFields = (environment: string, domain: string): INodeProperties[] => [
	{
		displayName: 'API Base URL',
		name: `${environment}BaseUrl`,
		type: 'string',
		required: true,
		default: '',
		placeholder: `e.g. https://api.${domain}`,
		description: `Address of the ${environment} API. The provider of the service tells you what it is.`,
		hint: 'If the test shows only a code: ERR_CANCELED means that no complete response came within 15 seconds; with any other, such as ECONNREFUSED, n8n could not connect to this address',
		displayOptions: { show: { environment: [environment] } },
	},
	{
		displayName: 'Collect URL',
		name: `${environment}CollectUrl`,
		type: 'string',
		required: true,
		default: '',
		placeholder: `e.g. https://collect.${domain}`,
		description: `Address where participants fill in forms in ${environment}; guest links start with it`,
		displayOptions: { show: { environment: [environment] } },
	},
];

export class DataCollectionApi implements ICredentialType {
	name = 'dataCollectionApi';

	displayName = 'Data Collection API';

	documentationUrl =
		'https://github.com/n8n-nodes-data-collection/n8n-nodes-data-collection/blob/main/docs/credential.md';

	icon = {
		light: 'file:../icons/dataCollection.svg',
		dark: 'file:../icons/dataCollection.dark.svg',
	} as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Environment',
			name: 'environment',
			type: 'options',
			options: [
				{ name: 'Practice', value: 'practice' },
				{ name: 'Production', value: 'production' },
				{ name: 'Staging', value: 'staging' },
			],
			default: 'production',
			description:
				'Practice is for trying the nodes with the practice service, a workflow in your own n8n',
		},
		{
			displayName: 'Practice Service URL',
			name: 'practiceUrl',
			type: 'string',
			required: true,
			default: 'http://localhost:5678/webhook/data-collection-practice',
			description:
				'If your browser shows n8n at another address, replace only <code>http://localhost:5678</code> in it',
			hint: 'If the test shows only ECONNREFUSED, nothing listens at this address: check the port',
			displayOptions: { show: { environment: ['practice'] } },
		},
		...addressFields('production', 'example.com'),
		...addressFields('staging', 'staging.example.com'),
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Sent as a bearer token with every request',
			displayOptions: { hide: { environment: ['practice'] } },
		},
		{
			displayName: 'Token ID',
			name: 'tokenId',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Sent in the tokenId header with every request',
			displayOptions: { hide: { environment: ['practice'] } },
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			placeholder: 'At least 16 characters that nobody can guess',
			description:
				'A text that you choose. Create sends it to the service, the service signs notifications with it, and the trigger and Wait verify the signature with it. Enter one even if you use neither.',
		},
		{
			displayName: 'Previous Webhook Secrets',
			name: 'previousWebhookSecrets',
			type: 'string',
			typeOptions: { password: true, rows: 4 },
			default: '',
			description:
				'Secrets that you used before, one per line. The trigger and Wait still accept them, because notifications are always signed with the secret that their collection request was created with. n8n hides stored secrets: to add one, enter all of them again.',
		},
	];

	/**
	 * A function: the generic form runs n8n's expression engine twice for every request. n8n shows
	 * what it throws as the result of the credential's test.
	 */
	async authenticate(
		credential: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const changes = options.url === TEST_PATH ? testRequestOf(credential) : {};
		const keys = apiKeysOf(credential);
		if (!keys.ok) throw new Error(keys.error.message);
		const { apiKey, tokenId } = keys.value;
		const own = { Authorization: `Bearer ${apiKey}`, tokenId };
		return { ...options, ...changes, headers: { ...options.headers, ...own } };
	}

	test: ICredentialTestRequest = {
		request: {
			url: TEST_PATH,
			encoding: 'text',
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: UNEXPECTED_STATUSES },
		},
		// n8n checks both kinds of rule in one list, but its type allows only one kind.
		rules: TEST_RULES as ICredentialTestRequest['rules'],
	};
}
