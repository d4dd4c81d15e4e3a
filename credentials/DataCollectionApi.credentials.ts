import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { checkCredential } from '../nodes/DataCollection/credential/connection';
import { keysOf } from '../nodes/DataCollection/credential/secrets';

/**
 * What the test reads: a collection request with an ID that none has, so that it finds nothing and
 * never creates anything. `authenticate` puts the API Base URL before it.
 */
const TEST_PATH = '/di/collection-request/000000000000000000000000';

/** The request of the test, by the same rules as in the nodes. Throws all that is wrong at once. */
function testRequestOf(credential: ICredentialDataDecryptedObject): Partial<IHttpRequestOptions> {
	const checked = checkCredential(credential);
	if (!checked.ok) throw new Error(checked.fault.message);
	const { baseUrl, environment } = checked.value;
	if (environment !== 'practice') return { url: `${baseUrl}${TEST_PATH}` };
	// A 404 tells nothing here: n8n responds with it, too, if the workflow is not published.
	return { url: `${baseUrl}/di/practice/ready`, ignoreHttpStatusErrors: false };
}

/** With these, a service may refuse the ID, which the API does not tell: the keys were accepted. */
const ID_REFUSED = [400, 404, 410, 422];

const OTHER_STATUSES = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
	(status) => !ID_REFUSED.includes(status),
);

/** What the test says about a status. n8n has words for all others. */
const MESSAGES: Array<[statuses: number[], message: string]> = [
	[
		[301, 302, 303, 307, 308],
		'The service responded with a redirect, which is not followed. Enter the address that it points to as the API Base URL.',
	],
	[
		[401, 403],
		'The API key or the token ID was refused. Check both, and make sure that Environment is the one they were issued for.',
	],
	[[404], 'Publish the workflow of the practice service, and check Practice Service URL'],
	[[405], 'The service did not understand the request. Check that the API Base URL is right.'],
	[[429], 'The service received too many requests. Try again in a minute.'],
	[[500, 502, 503, 504], 'Something went wrong inside the service. Try again later.'],
];

const statusRules = MESSAGES.flatMap(([statuses, message]) =>
	statuses.map((value) => ({ type: 'responseCode', properties: { value, message } })),
);

/** Refuses a web page by the first character of the body, which n8n reads like a field. */
const webPageRule = {
	type: 'responseSuccessBody',
	properties: {
		key: '0',
		value: '<',
		message:
			'The service responded with a web page instead of data. Check the API Base URL: it may point to a login page or to the guest page.',
	},
};

/** The two address fields of an environment. */
const addressFields = (environment: string, domain: string): INodeProperties[] => [
	{
		displayName: 'API Base URL',
		name: `${environment}BaseUrl`,
		type: 'string',
		required: true,
		default: '',
		placeholder: `e.g. https://api.${domain}`,
		description: `Address of the ${environment} API. The provider of the service tells you what it is.`,
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

/** The service's addresses, keys and webhook secrets, all entered by the user. */
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
				'Address of your n8n, followed by <code>/webhook/data-collection-practice</code>',
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
			default: '',
			placeholder: 'e.g. the output of openssl rand -hex 32',
			description:
				'A long random text that you choose, at least 16 characters. Create sends it to the service, the service signs notifications with it, and the trigger and Wait verify the signature with it.',
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
	 * A function, because the generic form runs n8n's expression engine twice for every request. Throws
	 * if a field cannot be used; n8n shows the message as the result of the credential's test.
	 */
	async authenticate(
		credential: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const changes = options.url === TEST_PATH ? testRequestOf(credential) : {};
		const keys = keysOf(credential);
		if (!keys.ok) throw new Error(keys.fault.message);
		const { apiKey, tokenId } = keys.value;
		const own = { Authorization: `Bearer ${apiKey}`, tokenId };
		return { ...options, ...changes, headers: { ...options.headers, ...own } };
	}

	test: ICredentialTestRequest = {
		request: {
			url: TEST_PATH,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: OTHER_STATUSES },
			timeout: 15_000,
		},
		// n8n checks both kinds of rule in one list, but its type allows only one kind.
		rules: [...statusRules, webPageRule] as ICredentialTestRequest['rules'],
	};
}
