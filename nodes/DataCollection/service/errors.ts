import { type NetworkFailure, SSRF_BLOCKED } from '../basics/networkFailure';
import type { Explanation } from '../basics/result';
import { MADE_UP_ID } from './guestLink';
import { type Case, MESSAGES, type Named } from './messages';
import { isAmbiguous, isRefusal, isUnreachable, isUntrustedCertificate } from './retry';
import type { ApiCall, Failure, Session } from './types';

/** What the failed call tried to get or to create. */
export interface FailedCall extends Pick<ApiCall, 'method' | 'subject' | 'id' | 'itemIndex'> {
	environment: string;
	/** The address that was tried. */
	baseUrl?: string;
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

function namedIn(call: FailedCall, failure: Failure): Named {
	const { method, subject, id = '', environment, itemIndex, baseUrl } = call;
	const shownId = id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id;
	const retryAfter = failure.kind === 'status' ? failure.retryAfter : undefined;
	// A call for an input item has the options of its operation; a Wait and the trigger have none.
	const hasOptions = itemIndex !== undefined;
	const resource = method === 'POST' ? `the ${subject}` : `the ${subject} "${shownId}"`;
	return {
		action: method === 'POST' ? 'create' : 'read',
		resource,
		field: environment === 'practice' ? 'Practice Service URL' : 'API Base URL',
		atAddress: baseUrl === undefined ? '' : ` at ${baseUrl}`,
		toRead: method === 'POST' ? '' : ` to read ${resource}`,
		orConcurrency: hasOptions ? ', and lower Concurrency under Options' : '',
		orTimeout: hasOptions ? ', or increase Timeout under Options' : '',
		environment,
		pause:
			retryAfter === undefined ? 'later' : `in ${Math.ceil(retryAfter / 1000)} seconds or later`,
	};
}

/** Explains a failure to the person who builds the workflow. */
export function explain(call: FailedCall, failure: Failure): Explanation {
	const said = MESSAGES[caseOf(call, failure)](namedIn(call, failure));
	const message = 'status' in failure ? `${said.message} (HTTP ${failure.status})` : said.message;
	const code = failure.kind === 'network' ? ` (${failure.code})` : '';
	const description = `${quoteOf(failure)}${said.description}${code}`;
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

/** The ID in a response that cannot be used. It may be the ID of what was created. */
const idIn = (failure: Failure) =>
	'id' in failure && failure.id ? `The response has the ID "${failure.id}". ` : '';

/** The error of a call that did not succeed, without secrets. */
export function apiError({ connection, errors }: Session, call: ApiCall, failure: Failure): Error {
	const { environment, baseUrl, redactor } = connection;
	const { message, description } = explain({ ...call, environment, baseUrl }, failure);
	return errors.failed({
		message: redactor.text(message),
		description: redactor.text(description),
		httpCode: 'status' in failure ? String(failure.status) : undefined,
		itemIndex: call.itemIndex,
		isAmbiguous: isAmbiguous(call.method, failure),
	});
}

type CallError = Partial<{ httpCode: string | null; context: { outcome?: unknown } }>;

/**
 * Whether the error proves that no collection request was created: the service or the network refused
 * the request, or the execution was cancelled before it was sent.
 */
export function isCertainlyNotCreated(error: unknown): boolean {
	const { context } = error as CallError;
	return context !== undefined && context.outcome !== 'unknown';
}

const statusOf = (error: unknown) => Number((error as CallError | undefined)?.httpCode ?? NaN);

/** Whether the service refuses the key, and so everything. */
export const isKeyRefused = (error: unknown) => statusOf(error) === 401;

/** Whether the failure is about the resource, and not about the connection or the key. */
export const isAboutResource = (error: unknown) =>
	isRefusal(statusOf(error)) && ![401, 403].includes(statusOf(error));

/** Whether the service refuses the request for good. */
export const isRefused = (error: unknown) => isRefusal(statusOf(error));

/** Whether the service does not return the resource, or not any more. */
export const isMissing = (error: unknown) => [403, 404, 410].includes(statusOf(error));

/** Whether the service refuses the resource or the account, or a firewall is in the way. */
export const isForbidden = (error: unknown) => statusOf(error) === 403;
