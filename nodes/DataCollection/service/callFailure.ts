import type { Explanation } from '../basics/explanation';
import {
	isUnreachable,
	isUntrustedCertificate,
	type NetworkFailure,
	SSRF_BLOCKED,
} from '../basics/networkFailure';
import type { Result } from '../basics/result';
import type { ApiCall, AttemptFailure } from './callTypes';
import { MADE_UP_ID } from './collectionRequest';
import type { Connection } from './connection';
import { type Case, MESSAGES, type MessageParts } from './messages';
import { mayHaveBeenCreated, isRefusal } from './retry';

/**
 * `missing`: the service does not have it, or no longer. `forbidden`: the key may not read it.
 * `invalid`: it would be refused again. `fatal`: true of every resource, because the key is refused
 * or the execution was cancelled.
 */
export type FailureKind = 'missing' | 'forbidden' | 'invalid' | 'unavailable' | 'fatal';

/** Without secrets, for the person who builds the workflow. */
export interface CallFailure extends Explanation {
	kind: FailureKind;
	httpCode?: string;
	itemIndex?: number;
	/** Whether something may have been created. */
	mayHaveBeenCreated: boolean;
}

export type Read<T> = Result<T, CallFailure>;

export interface FailedCall extends Pick<
	ApiCall,
	'method' | 'subject' | 'id' | 'requestId' | 'itemIndex'
> {
	environment: string;
	baseUrl: string;
}

const LONGEST_ID = 100;

const shortened = (id: string) => (id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id);

function caseOf(call: FailedCall, failure: AttemptFailure): Case {
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

function notFoundCaseOf({ method, subject, id, requestId }: FailedCall): Case {
	if (method === 'POST') return 'unknownAddress';
	if (id === MADE_UP_ID) return 'madeUp';
	// The service itself has named this share.
	if (requestId !== undefined) return 'gone';
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

function partsOf(call: FailedCall, failure: AttemptFailure): MessageParts {
	const { method, subject, id = '', requestId, environment, itemIndex, baseUrl } = call;
	const owner =
		requestId === undefined ? '' : ` of the collection request "${shortened(requestId)}"`;
	const retryAfter = failure.kind === 'status' ? failure.retryAfter : undefined;
	// Only calls for an input item have the options of an operation; a Wait and the trigger have
	// none.
	const hasOptions = itemIndex !== undefined;
	const resource =
		method === 'POST' ? `the ${subject}` : `the ${subject} "${shortened(id)}"${owner}`;
	return {
		action: method === 'POST' ? 'create' : 'read',
		resource,
		field: environment === 'practice' ? 'Practice Service URL' : 'API Base URL',
		baseUrl,
		toRead: method === 'POST' ? '' : ` to read ${resource}`,
		orConcurrency: hasOptions ? ', and lower Concurrency under Options' : '',
		orTimeout: hasOptions ? ', or increase Timeout under Options' : '',
		environment,
		pause:
			retryAfter === undefined ? 'later' : `in ${Math.ceil(retryAfter / 1000)} seconds or later`,
	};
}

export function explain(call: FailedCall, failure: AttemptFailure): Explanation {
	const said = MESSAGES[caseOf(call, failure)](partsOf(call, failure));
	const message = 'status' in failure ? `${said.message} (HTTP ${failure.status})` : said.message;
	const code = failure.kind === 'network' ? ` (${failure.code})` : '';
	const description = `${quoteOf(failure)}${said.description}${code}`;
	if (!mayHaveBeenCreated(call.method, failure)) return { message, description };
	return {
		message: `${message}. The collection request may have been created anyway`,
		description: `Check whether it was created before you run this again. Otherwise, participants may be asked twice. ${idIn(failure)}${description}`,
	};
}

function quoteOf(failure: AttemptFailure): string {
	if (failure.kind !== 'status' || !failure.message) return '';
	const end = /[.!?…]$/.test(failure.message) ? '' : '.';
	return `The service says: "${failure.message}"${end} `;
}

/** An ID in a response that cannot be used may be the ID of what was created. */
const idIn = (failure: AttemptFailure) =>
	'id' in failure && failure.id ? `The response has the ID "${failure.id}". ` : '';

const KINDS: Partial<Record<number, FailureKind>> = {
	401: 'fatal',
	403: 'forbidden',
	404: 'missing',
	410: 'missing',
};

function kindOf(failure: AttemptFailure): FailureKind {
	if (failure.kind !== 'status') return 'unavailable';
	return KINDS[failure.status] ?? (isRefusal(failure.status) ? 'invalid' : 'unavailable');
}

export function callFailure(
	connection: Connection,
	call: ApiCall,
	failure: AttemptFailure,
): CallFailure {
	const { environment, baseUrl, redactor } = connection;
	const { message, description } = explain({ ...call, environment, baseUrl }, failure);
	return {
		kind: kindOf(failure),
		message: redactor.text(message),
		description: redactor.text(description),
		httpCode: 'status' in failure ? String(failure.status) : undefined,
		itemIndex: call.itemIndex,
		mayHaveBeenCreated: mayHaveBeenCreated(call.method, failure),
	};
}

export const cancelled = ({ itemIndex }: ApiCall): CallFailure => ({
	kind: 'fatal',
	message: 'The execution was cancelled',
	description: 'No further request was sent for this item.',
	itemIndex,
	mayHaveBeenCreated: false,
});
