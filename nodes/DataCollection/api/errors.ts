import type { JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { isAmbiguous, isUnreachable, isUntrustedCertificate, SSRF_BLOCKED } from './retry';
import type { ApiCall, Failure, NetworkFailure, Session } from './types';

/** What the failed call tried to read or create. The test of the credential reads `credential`. */
export interface FailedCall extends Pick<ApiCall, 'method' | 'id'> {
	subject: ApiCall['subject'] | 'credential';
	environment: string;
}

/** Texts by case. The first sentence says what happened, the others what to do. */
export type Texts = Record<string, string>;

/** The request ID in a test notification, unless somebody enters another. No collection request has it. */
export const MADE_UP_ID = '7e577e577e577e577e577e57';

const LONGEST_ID = 100;

const KEYS_REFUSED =
	'The API key or the token ID was refused. Check both, and make sure that Environment is the one they were issued for.';

/** {@link casesOf} names the cases, {@link partsOf} what stands for `<…>`. */
const TEXTS: Texts = {
	'3xx':
		'The service responded with a redirect, which is not followed. Following it would send the API key to another address. Enter the address that the redirect points to as the API Base URL in the credential.',
	'401 credential': KEYS_REFUSED,
	'403 credential': KEYS_REFUSED,
	'429 credential': 'The service received too many requests. Try again in a minute.',
	'4xx credential':
		'The service did not understand the request. Check that the API Base URL is right.',
	'401':
		'The API key or the token ID was refused. Check API Key, Token ID and Environment (<environment>) in the credential.',
	'403':
		'The API key is not allowed to <action> <resource>. Check API Key, Token ID and Environment (<environment>) in the credential, and whether your account is allowed to do this.',
	'404 POST':
		'The service does not know this address. Check the API Base URL, the template ID and the child account ID. Wrong environment? The credential is set to <environment>.',
	'404 made up':
		'This was a test notification: no collection request has its made-up ID. To test a workflow that reads the collection request, enter the ID of a real one as Request ID in Send Test.',
	'404 share':
		'The service does not know <resource>. Check the ID: it must be the ID of a share. If it is the ID of a collection request, set Get By to Request ID. Wrong environment? The credential is set to <environment>, which does not know the IDs of the other environment.',
	'404':
		'The service does not know <resource>. Check the ID: it must be the request ID that Create or the trigger returned, and not the ID of a template or a share. To read a share by its own ID, use Share > Get. Wrong environment? The credential is set to <environment>, which does not know the IDs of the other environment.',
	'409':
		'The service refused the request because it conflicts with the current state. Read <resource> to see its state, then decide how to continue.',
	'410 POST':
		'The service no longer accepts this request. Check the template ID and the child account ID: one of them may have been deleted.',
	'410': 'The service no longer has <resource>. It was deleted. Stop using this ID.',
	'429':
		'The service received too many requests. Try again <pause>, and lower Concurrency under Options.',
	'4xx': 'The service refused the request. Correct the parameters of this node, then run it again.',
	'500':
		'Something went wrong inside the service. Try again <pause>. If this keeps happening, contact the provider of the service.',
	'5xx': 'The service is temporarily unavailable. Try again <pause>.',

	'web page':
		'The service responded with a web page instead of data. Check the API Base URL in the credential: it may point to a login page or to the guest page.',
	'no ID':
		'The service sent an unexpected response without an ID. The response was empty, cut off, or not a resource of the service. Check the API Base URL in the credential, then try again.',

	'unknown host':
		'The host of the API Base URL was not found. Check the API Base URL in the credential for typos. (<code>)',
	blocked:
		"n8n is configured to block requests to the address of the API Base URL. n8n's SSRF protection blocks addresses in internal networks. Ask the administrator of n8n to allow the host with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.",
	'untrusted certificate':
		'A secure connection to the service could not be established. Check that the API Base URL has the right host, and that the certificate of the host is valid and trusted by the machine that n8n runs on. (<code>)',
	'broken TLS':
		'The secure connection to the service failed. Check that the API Base URL starts with the right scheme (https:// or http://) and has the right port, then try again later. (<code>)',
	'not HTTP':
		'Something other than the service responds at the API Base URL. Check that the API Base URL starts with the right scheme (https:// or http://) and has the right port. (<code>)',
	unreachable:
		'The service could not be reached. It may be down, or the API Base URL may have the wrong host or port. Check the credential and try again later. (<code>)',
	timeout:
		'The service did not respond in time. Try again later, or increase Timeout under Options. (<code>)',
	'lost connection':
		'The connection to the service was lost before the response was complete. Try again later. If this keeps happening, check the host and the port of the API Base URL in the credential. (<code>)',
};

/** The cases that a failure belongs to, the narrowest first. */
function casesOf({ method, subject, id }: FailedCall, failure: Failure): string[] {
	if (failure.kind === 'network') return [networkCaseOf(failure)];
	if (failure.kind !== 'status') return [failure.kind];
	const { status } = failure;
	const range = rangeOf(status);
	const about = id === MADE_UP_ID ? 'made up' : subject;
	return [`${status} ${about}`, `${status} ${method}`, `${range} ${subject}`, `${status}`, range];
}

function rangeOf(status: number): string {
	if (status === 408 || status >= 500) return '5xx';
	return status >= 300 && status < 400 ? '3xx' : '4xx';
}

function networkCaseOf(failure: NetworkFailure): string {
	const { code } = failure;
	if (code === 'ENOTFOUND') return 'unknown host';
	if (code === SSRF_BLOCKED) return 'blocked';
	if (isUntrustedCertificate(code)) return 'untrusted certificate';
	if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'broken TLS';
	if (code.startsWith('HPE_')) return 'not HTTP';
	if (isUnreachable(failure)) return 'unreachable';
	return code === 'ETIMEDOUT' || code === 'ECONNABORTED' ? 'timeout' : 'lost connection';
}

function partsOf({ method, subject, id = '', environment }: FailedCall, failure: Failure) {
	const shownId = id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id;
	const { retryAfter = Infinity } = failure.kind === 'status' ? failure : {};
	const seconds = Math.ceil(retryAfter / 1000);
	return {
		action: method === 'POST' ? 'create' : 'read',
		resource: method === 'POST' ? `the ${subject}` : `the ${subject} "${shownId}"`,
		environment,
		pause: seconds === Infinity ? 'later' : `in ${seconds} seconds or later`,
		code: failure.kind === 'network' ? failure.code : '',
	};
}

/** The text of the first case that has one. `parts` are what stands for `<…>` in it. */
export function wordsOf(texts: Texts, cases: string[], parts: Record<string, string> = {}) {
	const text = cases.map((name) => texts[name] ?? '').find((found) => found !== '') ?? '';
	const [message = '', ...advice] = text.split('. ');
	const fill = (template: string) =>
		template.replace(/<(\w+)>/g, (_, name: string) => parts[name] ?? '');
	return { message: fill(message), advice: fill(advice.join('. ')) };
}

const wordsFor = (call: FailedCall, failure: Failure) =>
	wordsOf(TEXTS, casesOf(call, failure), partsOf(call, failure));

/** What the test of the credential says about a response. */
export function credentialTestText(failure: Failure): string {
	const call = { method: 'GET', subject: 'credential', environment: '' } as const;
	const { message, advice } = wordsFor(call, failure);
	return `${message}. ${advice}`;
}

/** Explains a failure to the person who builds the workflow. */
export function explain(call: FailedCall, failure: Failure) {
	const words = wordsFor(call, failure);
	const message = 'status' in failure ? `${words.message} (HTTP ${failure.status})` : words.message;
	const description = `${quoteOf(failure)}${words.advice}`;
	if (!isAmbiguous(call.method, failure)) return { message, description };
	return {
		message: `${message}. The collection request may have been created anyway`,
		description: `Check whether it was created before you run this again. Otherwise, participants may be asked twice. ${idIn(failure)}${description}`,
	};
}

function quoteOf(failure: Failure): string {
	if (failure.kind !== 'status' || !failure.message) return '';
	const end = /[.!?…]$/.test(failure.message) ? '' : '.';
	return `The service says: "${failure.message}"${end} `;
}

/** What stands in place of an ID in a response that cannot be used: it may be the ID of what was created. */
const idIn = (failure: Failure) =>
	'id' in failure && failure.id ? `The response has the ID "${failure.id}". ` : '';

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
