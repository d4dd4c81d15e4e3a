import type { Words } from '../result';

/** Why a call did not succeed. */
export type Case = keyof typeof WORDS;

/** What to say about each case. `wordsOf` fills in what stands as `<…>`. */
export const WORDS = {
	redirect: {
		message: 'The service responded with a redirect, which is not followed',
		advice:
			'Following it would send the API key to another address. Enter the address that the redirect points to as the <field> in the credential.',
	},
	unauthorized: {
		message: 'The API key or the token ID was refused',
		advice: 'Check API Key, Token ID and Environment (<environment>) in the credential.',
	},
	forbidden: {
		message: 'The API key is not allowed to <action> <resource>',
		advice:
			'Check API Key, Token ID and Environment (<environment>) in the credential, and whether your account is allowed to do this.',
	},
	unknownAddress: {
		message: 'The service does not know this address',
		advice:
			'Check the <field>, the template ID and the child account ID. Wrong environment? The credential is set to <environment>.',
	},
	madeUp: {
		message: 'This was a test notification: no collection request has its made-up ID',
		advice:
			'To test a workflow that reads the collection request, enter the ID of a real one as Request ID in Send Test.',
	},
	unknownShare: {
		message: 'The service does not know <resource>',
		advice:
			'Check the ID: it must be the ID of a share. If it is the ID of a collection request, set Get By to Request ID. Wrong environment? The credential is set to <environment>, which does not know the IDs of the other environment.',
	},
	unknownRequest: {
		message: 'The service does not know <resource>',
		advice:
			'Check the ID: it must be the request ID that Create or the trigger returned, and not the ID of a template or a share. To read a share by its own ID, use Share > Get. Wrong environment? The credential is set to <environment>, which does not know the IDs of the other environment.',
	},
	gone: {
		message: 'The service no longer has <resource>',
		advice: 'It was deleted. Stop using this ID.',
	},
	tooMany: {
		message: 'The service received too many requests',
		advice: 'Try again <pause><orConcurrency>.',
	},
	refused: {
		message: 'The service refused the request<toRead>',
		advice: 'Correct the parameters of this node, then run it again.',
	},
	failed: {
		message: 'Something went wrong inside the service',
		advice: 'Try again <pause>. If this keeps happening, contact the provider of the service.',
	},
	unavailable: {
		message: 'The service is temporarily unavailable',
		advice: 'Try again <pause>.',
	},
	webPage: {
		message: 'The service responded with a web page instead of data',
		advice:
			'Check the <field> in the credential: it may point to a login page or to the guest page.',
	},
	noId: {
		message: 'The service sent an unexpected response without an ID',
		advice:
			'The response was empty, cut off, or not a resource of the service. Check the <field> in the credential, then try again.',
	},
	otherResource: {
		message: 'The service responded with something other than <resource>',
		advice:
			'The ID in the response is another one, so nothing of it was used. Ask whoever runs the service, or a cache or proxy in front of it: responses of the API must not be cached.',
	},
	unknownHost: {
		message: 'The host of the <field> was not found',
		advice: 'Check the <field> in the credential for typos.',
	},
	blocked: {
		message: 'n8n is configured to block requests to the address of the <field>',
		advice:
			"n8n's SSRF protection blocks addresses in internal networks. Ask the administrator of n8n to allow the host with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.",
	},
	untrusted: {
		message: 'A secure connection to the service could not be established',
		advice:
			'Check that the <field> has the right host, and that the certificate of the host is valid and trusted by the machine that n8n runs on.',
	},
	brokenTls: {
		message: 'The secure connection to the service failed',
		advice:
			'Check that the <field> starts with the right scheme (https:// or http://) and has the right port, then try again later.',
	},
	notHttp: {
		message: 'Something other than the service responds at the <field>',
		advice:
			'Check that the <field> starts with the right scheme (https:// or http://) and has the right port.',
	},
	unreachable: {
		message: 'The service could not be reached<atAddress>',
		advice:
			'It may be down, or the <field> in the credential may have the wrong host or port. Check it and try again later.',
	},
	timeout: {
		message: 'The service did not respond in time',
		advice: 'Try again later<orTimeout>.',
	},
	lost: {
		message: 'The connection to the service was lost before the response was complete',
		advice:
			'Try again later. If this keeps happening, check the host and the port of the <field> in the credential.',
	},
} satisfies Record<string, Words>;
