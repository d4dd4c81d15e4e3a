import type { Explanation } from '../basics/explanation';

export type Case = keyof typeof MESSAGES;

export interface MessageParts {
	action: string;
	resource: string;
	/** The field of the credential that has the address. */
	field: string;
	baseUrl: string;
	environment: string;
	/** When to try again: `later`, or after the pause that the service asks for. */
	pause: string;
	/** Empty where there is nothing to add. */
	toRead: string;
	orConcurrency: string;
	orTimeout: string;
}

export const MESSAGES = {
	redirect: ({ field }: MessageParts) => ({
		message: 'The service responded with a redirect, which is not followed',
		description: `Following it would send the API key to another address. Enter the address that the redirect points to as the ${field} in the credential.`,
	}),
	unauthorized: ({ environment }: MessageParts) => ({
		message: 'The API key or the token ID was refused',
		description: `Check API Key, Token ID and Environment (${environment}) in the credential.`,
	}),
	forbidden: ({ action, environment, resource }: MessageParts) => ({
		message: `The API key is not allowed to ${action} ${resource}`,
		description: `Check API Key, Token ID and Environment (${environment}) in the credential, and whether your account is allowed to do this.`,
	}),
	unknownAddress: ({ environment, field }: MessageParts) => ({
		message: 'The service does not know this address',
		description: `Check the ${field}, the template ID and the child account ID. Wrong environment? The credential is set to ${environment}.`,
	}),
	madeUp: () => ({
		message: 'This was a test notification: no collection request has its made-up ID',
		description:
			'To test a workflow that reads the collection request, enter the ID of a real one as Request ID in Send Test.',
	}),
	unknownShare: ({ environment, resource }: MessageParts) => ({
		message: `The service does not know ${resource}`,
		description: `Check the ID: it must be the ID of a share. If it is the ID of a collection request, set Get By to Request ID. Wrong environment? The credential is set to ${environment}, which does not know the IDs of the other environment.`,
	}),
	unknownRequest: ({ environment, resource }: MessageParts) => ({
		message: `The service does not know ${resource}`,
		description: `Each account and environment knows only its own: choose the credential with which it was created (this one is set to ${environment}). Or the ID is another one, such as that of a template or a share: enter the request ID that Create or the trigger returned.`,
	}),
	gone: ({ resource }: MessageParts) => ({
		message: `The service no longer has ${resource}`,
		description: 'It was deleted. Stop using this ID.',
	}),
	tooMany: ({ orConcurrency, pause }: MessageParts) => ({
		message: 'The service received too many requests',
		description: `Try again ${pause}${orConcurrency}.`,
	}),
	refused: ({ toRead }: MessageParts) => ({
		message: `The service refused the request${toRead}`,
		description: 'Correct the parameters of this node, then run it again.',
	}),
	failed: ({ pause }: MessageParts) => ({
		message: 'Something went wrong inside the service',
		description: `Try again ${pause}. If this keeps happening, contact the provider of the service.`,
	}),
	unavailable: ({ pause }: MessageParts) => ({
		message: 'The service is temporarily unavailable',
		description: `Try again ${pause}.`,
	}),
	webPage: ({ field }: MessageParts) => ({
		message: 'The service responded with a web page instead of data',
		description: `Check the ${field} in the credential: it may point to a login page or to the guest page.`,
	}),
	noId: ({ field }: MessageParts) => ({
		message: 'The service sent an unexpected response without an ID',
		description: `The response was empty, cut off, or not a resource of the service. Check the ${field} in the credential, then try again.`,
	}),
	otherResource: ({ resource }: MessageParts) => ({
		message: `The service responded with something other than ${resource}`,
		description:
			'The ID in the response is another one, so nothing of it was used. Ask whoever runs the service, or a cache or proxy in front of it: responses of the API must not be cached.',
	}),
	unknownHost: ({ field }: MessageParts) => ({
		message: `The host of the ${field} was not found`,
		description: `Check the ${field} in the credential for typos.`,
	}),
	blocked: ({ field }: MessageParts) => ({
		message: `n8n is configured to block requests to the address of the ${field}`,
		description:
			"n8n's SSRF protection blocks addresses in internal networks. Ask the administrator of n8n to allow the host with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.",
	}),
	untrusted: ({ field }: MessageParts) => ({
		message: 'A secure connection to the service could not be established',
		description: `Check that the ${field} has the right host, and that the certificate of the host is valid and trusted by the machine that n8n runs on.`,
	}),
	brokenTls: ({ field }: MessageParts) => ({
		message: 'The secure connection to the service failed',
		description: `Check that the ${field} starts with the right scheme (https:// or http://) and has the right port, then try again later.`,
	}),
	notHttp: ({ field }: MessageParts) => ({
		message: `Something other than the service responds at the ${field}`,
		description: `Check that the ${field} starts with the right scheme (https:// or http://) and has the right port.`,
	}),
	unreachable: ({ baseUrl, field }: MessageParts) => ({
		message: `The service could not be reached at ${baseUrl}`,
		description: `It may be down, or the ${field} in the credential may have the wrong host or port. Check it and try again later.`,
	}),
	timeout: ({ orTimeout }: MessageParts) => ({
		message: 'The service did not respond in time',
		description: `Try again later${orTimeout}.`,
	}),
	lost: ({ field }: MessageParts) => ({
		message: 'The connection to the service was lost before the response was complete',
		description: `Try again later. If this keeps happening, check the host and the port of the ${field} in the credential.`,
	}),
} satisfies Record<string, (named: MessageParts) => Explanation>;
