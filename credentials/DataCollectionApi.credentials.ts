import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { addressesOf } from '../nodes/DataCollection/credential/address';

/** An ID that no collection request has: the test finds nothing and never creates anything. */
const NO_SUCH_REQUEST = '000000000000000000000000';

/**
 * A placeholder for the test's address, which `authenticate` replaces with the real one. If the API
 * Base URL cannot be used, the placeholder stays. Its response needs no network, so the key is sent
 * nowhere, and a rule below can explain what is wrong.
 */
const TEST_URL = 'data:,refused';

/** The address that the test reads, by the same rules as in the nodes. */
function testUrlOf(credential: ICredentialDataDecryptedObject): string {
	const { baseUrl } = addressesOf(credential);
	return baseUrl.ok ? `${baseUrl.address}/di/collection-request/${NO_SUCH_REQUEST}` : TEST_URL;
}

/** All statuses except success and 404: with a valid key, an unknown ID is "not found". */
const OTHER_STATUSES = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
	(status) => status !== 404,
);

const REFUSED =
	'The API key or the token ID was refused. Check both, and that Environment is the one they were issued for.';
const REDIRECTED =
	'The service responded with a redirect, which is not followed. Enter the address it leads to as API Base URL.';
const DOWN = 'The service is not able to respond at the moment. Try again later.';

const STATUS_MESSAGES: Array<[string, number[]]> = [
	[REFUSED, [401, 403]],
	[REDIRECTED, [301, 302, 303, 307, 308]],
	['The service asks for fewer requests at a time. Try again in a minute.', [429]],
	['The service did not understand the request. Is this the API Base URL?', [400, 405, 410, 422]],
	[DOWN, [500, 502, 503, 504]],
];

type Rule = IAuthenticateRuleResponseCode | IAuthenticateRuleResponseSuccessBody;

const statusRules = STATUS_MESSAGES.flatMap(([message, statuses]) =>
	statuses.map((value): Rule => ({ type: 'responseCode', properties: { value, message } })),
);

/** Refuses a 2xx by the first character or byte of its body, which n8n reads like a field. */
const bodyRule = (value: string | number, message: string): Rule => {
	return { type: 'responseSuccessBody', properties: { key: '0', value, message } };
};

const webPageRule = bodyRule(
	'<',
	'The service responded with a web page instead of data. Is this the API Base URL? A login page or the guest page responds like this.',
);

/** The body of the `data:` URL arrives as bytes, unlike any response over HTTP. */
const addressRule = bodyRule(
	'r'.charCodeAt(0),
	'The API Base URL must be an https:// address (http:// for a service on this machine only) without user name, query or fragment, and end before "/di", which the nodes add.',
);

/** The two address fields of an environment. */
const addressFields = (environment: string, domain: string): INodeProperties[] => [
	{
		displayName: 'API Base URL',
		name: `${environment}BaseUrl`,
		type: 'string',
		required: true,
		default: '',
		placeholder: `e.g. https://api.${domain}`,
		description: `Where the ${environment} API is, as the provider of the service told you`,
		displayOptions: { show: { environment: [environment] } },
	},
	{
		displayName: 'Collect URL',
		name: `${environment}CollectUrl`,
		type: 'string',
		required: true,
		default: '',
		placeholder: `e.g. https://collect.${domain}`,
		description: `Where participants fill in forms in ${environment}; guest links start with it`,
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
				{ name: 'Production', value: 'production' },
				{ name: 'Staging', value: 'staging' },
			],
			default: 'production',
			description: 'Which of the two address pairs is used',
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
			description: 'Sent as bearer token with every call',
		},
		{
			displayName: 'Token ID',
			name: 'tokenId',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Sent in the header tokenId with every call',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'e.g. what openssl rand -hex 32 prints',
			description:
				'A long random text of your own. Create hands it to the service, which signs notifications with it, and the trigger verifies them with it.',
		},
		{
			displayName: 'Previous Webhook Secrets',
			name: 'previousWebhookSecrets',
			type: 'string',
			typeOptions: { password: true, rows: 4 },
			default: '',
			description:
				'Secrets used before, one per line, which the trigger still accepts: a request goes on being signed with the secret it was created with. n8n does not show stored ones: to add one, enter all of them again.',
		},
	];

	/** A function, because the generic form runs n8n's expression engine twice for every request. */
	async authenticate(
		credential: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const url = options.url === TEST_URL ? testUrlOf(credential) : options.url;
		if (url === TEST_URL) return options;
		const { apiKey, tokenId } = credential;
		const keys = { Authorization: `Bearer ${String(apiKey)}`, tokenId: String(tokenId) };
		return { ...options, url, headers: { ...options.headers, ...keys } };
	}

	test: ICredentialTestRequest = {
		request: {
			url: TEST_URL,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: OTHER_STATUSES },
			timeout: 15_000,
		},
		// n8n checks both kinds of rule in one list, but its type allows only one kind.
		rules: [...statusRules, webPageRule, addressRule] as ICredentialTestRequest['rules'],
	};
}
