import type { JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ApiCall, Session } from './types';
import type { Failure, NetworkFailure } from './retry';
import { isAmbiguous, isUnreachable, isUntrustedCertificate, SSRF_BLOCKED } from './retry';
import type { FailedCall, Words } from './statusWords';
import { shownId, statusWords } from './statusWords';

/** Creates a new error from text only, because n8n's own error contains the request headers. */
export function apiError({ context, connection }: Session, call: ApiCall, failure: Failure) {
	const { environment, sanitizer } = connection;
	const explanation = explain({ ...call, environment }, failure);
	const message = sanitizer.text(explanation.message);
	const description = sanitizer.text(explanation.description);
	const httpCode = 'status' in failure ? String(failure.status) : undefined;
	const options = { message, description, httpCode, itemIndex: call.itemIndex };
	const error = new NodeApiError(context.getNode(), { message } as JsonObject, options);
	// n8n replaces a message that contains an error code's name, and an ID may contain one.
	error.message = message;
	if (isAmbiguous(call.method, failure)) error.context.outcome = 'unknown';
	return error;
}

/** Whether the error leaves it unknown if a collection request was created. */
export const isOutcomeUnknown = (error: unknown) =>
	error instanceof NodeApiError && error.context.outcome === 'unknown';

/** Explains a failure to the person who builds the workflow. */
export function explain(call: FailedCall, failure: Failure) {
	const [what, advice] = wordsFor(call, failure);
	const isOfStatus = 'status' in failure && failure.kind !== 'other kind';
	const message = isOfStatus ? `${what} (HTTP ${failure.status})` : what;
	const said = failure.kind === 'status' && failure.said ? `${quoted(failure.said)} ` : '';
	const description = `${said}${advice}`;
	if (!isAmbiguous(call.method, failure)) return { message, description };
	return {
		message: `${message}. The collection request may have been created anyway`,
		description: `Check whether it was created before you run this again. Otherwise, participants may be asked twice. ${idIn(failure)}${description}`,
	};
}

/** What stands in place of an ID in a response that cannot be used: it may be the ID of what was created. */
const idIn = (failure: Failure) =>
	'id' in failure && failure.id ? `The response has the ID "${failure.id}". ` : '';

function wordsFor(call: FailedCall, failure: Failure): Words {
	if (failure.kind === 'network') return networkWords(failure);
	if (failure.kind === 'status') return statusWords(call, failure);
	if (failure.kind === 'other kind') return OTHER_KIND[call.subject](shownId(call));
	return UNUSABLE_RESPONSES[failure.kind];
}

const OTHER_KIND: Record<ApiCall['subject'], (id: string) => Words> = {
	share: (id) => [
		`${id} is the ID of a collection request, not of a share`,
		'Set Get By to Request ID, and enter the ID there.',
	],
	'collection request': (id) => [
		`${id} is the ID of a share, not of a collection request`,
		'Enter the request ID that Create or the trigger returned. To read a share, use Share > Get.',
	],
};

const UNUSABLE_RESPONSES = {
	'web page': [
		'The service responded with a web page instead of data',
		'Check the API Base URL in the credential: it may point to a login page or to the guest page.',
	],
	'too large': [
		'The service sent a response larger than 16 MiB',
		'The rest of it was not read. Check the API Base URL in the credential. If it is right, contact the provider of the service.',
	],
	'no ID': [
		'The service sent an unexpected response without an ID',
		'The response was empty, cut off, or not a resource of the service. Check the API Base URL in the credential, then try again.',
	],
	'too deep': [
		'The service sent a response that is nested too deeply',
		'Contact the provider of the service: the nodes read at most 200 levels.',
	],
	'unusable ID': [
		'The service sent an ID that cannot be used',
		'Contact the provider of the service: the ID is not text, or it is "." or "..", which an address cannot contain.',
	],
} as const;

function networkWords(failure: NetworkFailure): Words {
	const [, message, description] =
		NETWORK_WORDS.find(([applies]) => applies(failure)) ?? BROKEN_OFF;
	const shown = failure.code === SSRF_BLOCKED ? '' : ` (${failure.code})`;
	return [message, `${description}${shown}`];
}

type NetworkWords = readonly [applies: (failure: NetworkFailure) => boolean, ...words: Words];

const BROKEN_OFF: NetworkWords = [
	() => true,
	'The connection to the service was lost before the response was complete',
	'Try again later. If this keeps happening, check the host and the port of the API Base URL in the credential.',
];

/** The first entry that applies is used. */
const NETWORK_WORDS: NetworkWords[] = [
	[
		({ code }) => code === 'ENOTFOUND',
		'The host of the API Base URL was not found',
		'Check the API Base URL in the credential for typos.',
	],
	[
		({ code }) => code === SSRF_BLOCKED,
		'n8n is configured to block requests to the address of the API Base URL',
		"n8n's SSRF protection blocks addresses in internal networks. Ask the administrator of n8n to allow the host with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.",
	],
	[
		({ code }) => isUntrustedCertificate(code),
		'A secure connection to the service could not be established',
		'Check that the API Base URL has the right host, and that the certificate of the host is valid and trusted by the machine that n8n runs on.',
	],
	[
		({ code }) => code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code),
		'The secure connection to the service failed',
		'Check that the API Base URL starts with the right scheme (https:// or http://) and has the right port, then try again later.',
	],
	[
		({ code }) => code.startsWith('HPE_'),
		'Something other than the service responds at the API Base URL',
		'Check that the API Base URL starts with the right scheme (https:// or http://) and has the right port.',
	],
	[
		isUnreachable,
		'The service could not be reached',
		'It may be down, or the API Base URL may have the wrong host or port. Check the credential and try again later.',
	],
	[
		({ code }) => code === 'ETIMEDOUT' || code === 'ECONNABORTED',
		'The service did not respond in time',
		'Try again later, or increase Timeout under Options.',
	],
];

const quoted = (said: string) => `The service says: "${said}"${/[.!?…]$/.test(said) ? '' : '.'}`;
