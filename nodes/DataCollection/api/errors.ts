import type { JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ApiCall, Session } from './types';
import type { Failure } from './retry';
import { isAmbiguous, isUnreachable, isUntrustedCertificate, SSRF_BLOCKED } from './retry';

/** The text shown in n8n: what happened, then what to do. */
export interface Explanation {
	message: string;
	description: string;
}

/** What a failed call was about. */
export type FailedCall = Pick<ApiCall, 'method' | 'subject' | 'id'> & { environment: string };

const LONGEST_ID = 100;

/** A new error from plain words: n8n's own holds the request with its headers. */
export function apiError({ context, connection }: Session, call: ApiCall, failure: Failure) {
	const { environment, sanitizer } = connection;
	const explanation = explain({ ...call, environment }, failure);
	const message = sanitizer.text(explanation.message);
	const description = sanitizer.text(explanation.description);
	const httpCode = 'status' in failure ? String(failure.status) : undefined;
	const options = { message, description, httpCode, itemIndex: call.itemIndex };
	const error = new NodeApiError(context.getNode(), { message } as JsonObject, options);
	// n8n replaces a message that contains the name of an error code, which an ID may happen to do.
	error.message = message;
	return error;
}

/** Words a failure for the person building the workflow. */
export function explain(call: FailedCall, failure: Failure): Explanation {
	const [what, advice] = wordsFor(call, failure);
	const message = 'status' in failure ? `${what} (HTTP ${failure.status})` : what;
	const said = failure.kind === 'status' && failure.said ? `${quoted(failure.said)} ` : '';
	const description = `${said}${advice}`;
	if (!isAmbiguous(call.method, failure)) return { message, description };
	return {
		message: `${message}. The collection request may exist all the same`,
		description: `Check whether it was created before you run this again, or participants may be asked twice. ${description}`,
	};
}

type Words = readonly [message: string, description: string];

function wordsFor(call: FailedCall, failure: Failure): Words {
	if (failure.kind === 'network') return networkWords(failure);
	if (failure.kind === 'status') return statusWords(call, failure);
	return UNUSABLE_RESPONSES[failure.kind];
}

const UNUSABLE_RESPONSES = {
	'web page': [
		'The service answered with a web page instead of data',
		'Is this the API base URL? Check it in the credential: a login page or the guest page answers like this.',
	],
	'too large': [
		'The service sent a response of more than 64 MiB',
		'It was not read to its end. Check the API base URL in the credential; if it is right, tell the provider of the service.',
	],
	'no ID': [
		'The service sent an unexpected response without an ID',
		'The answer was empty, cut off or something other than a resource of the service. Check the API base URL in the credential, then try again.',
	],
	'unusable share ID': [
		'The service sent a collection request whose share ID is not a text',
		'Tell the provider of the service. Its share cannot be read until then.',
	],
} as const;

function networkWords(failure: Extract<Failure, { kind: 'network' }>): Words {
	const { code } = failure;
	const [message, description] = NETWORK_WORDS[code] ?? networkKindWords(failure);
	return [message, code === SSRF_BLOCKED ? description : `${description} (${code})`];
}

const TIMED_OUT: Words = [
	'The service did not answer in time',
	'Try again later, or raise Timeout under Options.',
];

const NETWORK_WORDS: Partial<Record<string, Words>> = {
	ENOTFOUND: [
		'The host of the API base URL was not found',
		'Check the API base URL in the credential for typing slips.',
	],
	[SSRF_BLOCKED]: [
		'n8n is set up not to send requests to the address of the API base URL',
		"n8n's SSRF protection refuses addresses of internal networks. Ask the administrator of n8n to allow the host with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.",
	],
	ECONNABORTED: TIMED_OUT,
};

function networkKindWords(failure: Extract<Failure, { kind: 'network' }>): Words {
	const { code } = failure;
	if (isUntrustedCertificate(code)) {
		return [
			'No secure connection to the service could be made',
			'Check that the API base URL names the right host, and that its certificate is valid and trusted by the machine n8n runs on.',
		];
	}
	if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) {
		return [
			'The secure connection to the service failed',
			'Check that the API base URL starts with the right https:// or http:// and names the right port, then try again later.',
		];
	}
	if (isUnreachable(failure)) {
		return [
			'The service could not be reached',
			'It may be down, or the API base URL may name the wrong host or port. Check the credential and try again later.',
		];
	}
	if (code === 'ETIMEDOUT') return TIMED_OUT;
	return [
		'The connection to the service broke off before the answer was complete',
		'Try again later.',
	];
}

function statusWords(
	call: FailedCall,
	{ status, retryAfter }: Extract<Failure, { kind: 'status' }>,
): Words {
	const pause =
		retryAfter === undefined || retryAfter === Infinity
			? 'later'
			: `in ${Math.ceil(retryAfter / 1000)} seconds or later`;
	if (status >= 300 && status < 400) {
		return [
			'The service answered with a redirect, which is not followed',
			'The key must not travel to another address. Enter the address that the redirect leads to as API base URL in the credential.',
		];
	}
	if (status === 429) {
		return [
			'The service asks for fewer requests at a time',
			`Try again ${pause}, and lower Concurrency under Options.`,
		];
	}
	if (status === 500) {
		return [
			'Something went wrong inside the service',
			`Try again ${pause}. If it stays like this, tell the provider of the service.`,
		];
	}
	if (status > 500 || status === 408) {
		return ['The service is not able to answer at the moment', `Try again ${pause}.`];
	}
	return (
		refusalWords(call)[status] ?? [
			'The service refused the request',
			'Correct the parameters of this node, then run it again.',
		]
	);
}

/** What a create names is the template and the child account, what a read names is the ID. */
function refusalWords({
	method,
	subject,
	id,
	environment,
}: FailedCall): Partial<Record<number, Words>> {
	const isCreate = method === 'POST';
	const wanted = id === undefined ? `the ${subject}` : `the ${subject} "${shortened(id)}"`;
	const check = `Check API Key, Token ID and Environment (${environment}) in the credential`;
	return {
		401: ['The API key or the token ID was refused', `${check}.`],
		403: [
			`The API key is not allowed to ${isCreate ? 'create' : 'read'} ${wanted}`,
			`${check}, and whether this account may do this.`,
		],
		404: isCreate
			? [
					'The service does not know this address',
					`Check the API base URL, the template ID and the child account ID. Wrong environment? The credential is set to ${environment}.`,
				]
			: [
					`The service does not know ${wanted}`,
					`Check the ID. Wrong environment? The credential is set to ${environment}, where an ID of the other environment is unknown.`,
				],
		409: [
			'The service refused the request because it conflicts with the current state',
			`Read ${wanted} to see its state, then decide how to go on.`,
		],
		410: isCreate
			? [
					'The service no longer accepts this request',
					'Check the template ID and the child account ID: one may have been deleted.',
				]
			: [`The service no longer has ${wanted}`, 'It was deleted. Leave this ID out.'],
	};
}

const quoted = (said: string) => `The service says: "${said}"${/[.!?…]$/.test(said) ? '' : '.'}`;

const shortened = (id: string) => (id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id);
