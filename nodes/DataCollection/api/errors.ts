import type { JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { NetworkFailure } from '../exchange';
import { SSRF_BLOCKED } from '../exchange';
import { MADE_UP_ID } from '../item';
import type { Words } from '../result';
import { isAmbiguous, isRefusal, isUnreachable, isUntrustedCertificate } from './retry';
import type { ApiCall, Failure, Session } from './types';
import type { Case } from './words';
import { WORDS } from './words';

/** What the failed call tried to get or to create. */
export interface FailedCall extends Pick<ApiCall, 'method' | 'subject' | 'id'> {
	environment: string;
}

const LONGEST_ID = 100;

/** The narrowest case that a failure belongs to. */
function caseOf(call: FailedCall, failure: Failure): Case {
	if (failure.kind === 'network') return networkCaseOf(failure);
	if (failure.kind !== 'status') return failure.kind;
	const { status } = failure;
	if (status === 500) return 'failed';
	if (status === 408 || status > 500) return 'unavailable';
	if (status < 400) return 'redirect';
	return refusalCaseOf(call, status);
}

function refusalCaseOf(call: FailedCall, status: number): Case {
	if (status === 404) return notFoundCaseOf(call);
	if (status === 410 && call.method === 'GET') return 'gone';
	if (status === 401) return 'unauthorized';
	if (status === 403) return 'forbidden';
	return status === 429 ? 'tooMany' : 'refused';
}

function notFoundCaseOf({ method, subject, id }: FailedCall): Case {
	if (method === 'POST') return 'unknownAddress';
	if (id === MADE_UP_ID) return 'madeUp';
	return subject === 'share' ? 'unknownShare' : 'unknownRequest';
}

function networkCaseOf(failure: NetworkFailure): Case {
	const { code } = failure;
	if (code === 'ENOTFOUND') return 'unknownHost';
	if (code === SSRF_BLOCKED) return 'blocked';
	if (isUntrustedCertificate(code)) return 'untrusted';
	if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'brokenTls';
	if (code.startsWith('HPE_')) return 'notHttp';
	if (isUnreachable(failure)) return 'unreachable';
	return code === 'ETIMEDOUT' || code === 'ECONNABORTED' ? 'timeout' : 'lost';
}

function partsOf({ method, subject, id = '', environment }: FailedCall, failure: Failure) {
	const shownId = id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id;
	const retryAfter = failure.kind === 'status' ? failure.retryAfter : undefined;
	return {
		field: fieldOf(environment),
		action: method === 'POST' ? 'create' : 'read',
		resource: method === 'POST' ? `the ${subject}` : `the ${subject} "${shownId}"`,
		environment,
		pause:
			retryAfter === undefined ? 'later' : `in ${Math.ceil(retryAfter / 1000)} seconds or later`,
	};
}

function wordsOf(call: FailedCall, failure: Failure): Words {
	const { message, advice } = WORDS[caseOf(call, failure)];
	const parts: Record<string, string> = partsOf(call, failure);
	const fill = (text: string) => text.replace(/<(\w+)>/g, (_, name: string) => parts[name] ?? '');
	return { message: fill(message), advice: fill(advice) };
}

/** Explains a failure to the person who builds the workflow. */
export function explain(call: FailedCall, failure: Failure): Words {
	const words = wordsOf(call, failure);
	const message = 'status' in failure ? `${words.message} (HTTP ${failure.status})` : words.message;
	const code = failure.kind === 'network' ? ` (${failure.code})` : '';
	const advice = `${quoteOf(failure)}${words.advice}${code}`;
	if (!isAmbiguous(call.method, failure)) return { message, advice };
	return {
		message: `${message}. The collection request may have been created anyway`,
		advice: `Check whether it was created before you run this again. Otherwise, participants may be asked twice. ${idIn(failure)}${advice}`,
	};
}

/** The field of the credential that holds the address of the API. */
const fieldOf = (environment: string) =>
	environment === 'practice' ? 'Practice Service URL' : 'API Base URL';

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
	const { environment, baseUrl, sanitizer } = connection;
	const words = explain({ ...call, environment }, failure);
	const message = sanitizer.text(words.message);
	const tried =
		failure.kind === 'network'
			? ` The ${fieldOf(environment)} in the credential is ${baseUrl}.`
			: '';
	const description = sanitizer.text(`${words.advice}${tried}`);
	const httpCode = 'status' in failure ? String(failure.status) : undefined;
	const options = { message, description, httpCode, itemIndex: call.itemIndex };
	const error = new NodeApiError(context.getNode(), { message } as JsonObject, options);
	// n8n replaces a message that contains an error code's name, and an ID may contain one.
	error.message = message;
	if (isAmbiguous(call.method, failure)) error.context.outcome = 'unknown';
	return error;
}

/**
 * Whether the error proves that no collection request was created: the service or the network refused
 * the request, or the execution was cancelled before it was sent.
 */
export const isCertainlyNotCreated = (error: unknown) =>
	error instanceof NodeApiError
		? error.context.outcome !== 'unknown'
		: error instanceof NodeOperationError;

const statusOf = (error: unknown) => (error instanceof NodeApiError ? Number(error.httpCode) : NaN);

/** Whether the service refuses the request for good. */
export const isRefused = (error: unknown) => isRefusal(statusOf(error));

/** Whether the service does not return the resource, or not any more. */
export const isMissing = (error: unknown) => [403, 404, 410].includes(statusOf(error));
