import type { ApiCall } from './types';

/** The reason why a call returned no usable resource. */
export type Failure =
	/** A status other than 2xx. `retryAfter`: the pause the service asks for, in milliseconds. */
	| { kind: 'status'; status: number; said?: string; retryAfter?: number }
	/**
	 * A 2xx whose body is not a resource. A resource is an object whose `_id` is a string. `id` is what
	 * stands there, as text.
	 */
	| { kind: 'no ID' | 'too deep' | 'web page' | 'too large'; status: number; id?: string }
	/** Not found, but a resource of the other kind has this ID. */
	| { kind: 'other kind'; status: 404 }
	/** The service sent an ID that cannot be part of a path: not a string, or `.` or `..`. */
	| { kind: 'unusable ID' }
	/** No complete response. `code` is Node's, e.g. `ECONNRESET`; `syscall` what failed, if known. */
	| { kind: 'network'; code: string; syscall?: string };

export type NetworkFailure = Extract<Failure, { kind: 'network' }>;
type Method = ApiCall['method'];

/** Attempts per call, including the first one. */
export const MAXIMUM_ATTEMPTS = 3;

/** Milliseconds. If the service asks for a longer pause, the call is not retried. */
const LONGEST_PAUSE = 30_000;

const SHORTEST_BACKOFF = 100;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 8_000;

/** Jitter on top of the pause that the service asks for, so that workflows do not retry in step. */
const JITTER_MS = 250;

/** The statuses of temporary errors. Reads are retried after them. */
const TEMPORARY_STATUSES = [408, 500, 502, 503, 504];

/** The code for a request that n8n's own SSRF protection blocked. */
export const SSRF_BLOCKED = 'SSRF_BLOCKED';

/** Nothing listens on the port, or DNS fails temporarily. Both may change within moments. */
const UNREACHABLE = ['ECONNREFUSED', 'EAI_AGAIN'];

/** The same, but only while connecting: an established connection can also end with these. */
const UNREACHABLE_WHILE_CONNECTING = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];

/** Node's codes for an untrusted certificate, which it checks before it sends anything. */
const UNTRUSTED_CERTIFICATE = [
	/^CERT_/,
	/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
	/^UNABLE_TO_(GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE)$/,
	/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
	/^(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/,
];

export const isUntrustedCertificate = (code: string) =>
	UNTRUSTED_CERTIFICATE.some((codes) => codes.test(code));

export const isUnreachable = ({ code, syscall }: NetworkFailure) =>
	UNREACHABLE.includes(code) ||
	(syscall === 'connect' && UNREACHABLE_WHILE_CONNECTING.includes(code));

/** Connection errors that only a change to the credential or the network can fix. */
const isConfiguration = (code: string) =>
	code === 'ENOTFOUND' || code === SSRF_BLOCKED || isUntrustedCertificate(code);

/** Whether the error proves that the request never reached the service. */
const isNeverSent = (failure: NetworkFailure) =>
	isUnreachable(failure) || isConfiguration(failure.code);

/** Statuses that refuse a request, so the service has certainly created nothing. */
const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 408;

/** Whether a create may have succeeded although no proof arrived. Reads change nothing. */
export function isAmbiguous(method: Method, failure: Failure): boolean {
	if (method === 'GET') return false;
	if (failure.kind === 'network') return !isNeverSent(failure);
	return failure.kind !== 'status' || !isRefusal(failure.status);
}

/**
 * Milliseconds until the next attempt, or undefined if there must not be one. `attempt` counts from
 * 1. Reads are retried after any temporary error. A create is retried only if it certainly did not
 * arrive, because the API has no idempotency key. The delay has full jitter, or is what Retry-After
 * asks for.
 */
export function retryDelay(
	method: Method,
	attempt: number,
	failure: Failure,
	random: () => number,
): number | undefined {
	if (attempt >= MAXIMUM_ATTEMPTS || !isRetryable(method, failure)) return undefined;
	const asked = failure.kind === 'status' ? failure.retryAfter : undefined;
	if (asked !== undefined) {
		return asked > LONGEST_PAUSE ? undefined : asked + random() * JITTER_MS;
	}
	const ceiling = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** attempt);
	return Math.max(SHORTEST_BACKOFF, random() * ceiling);
}

function isRetryable(method: Method, failure: Failure): boolean {
	if (failure.kind === 'network') {
		return !isConfiguration(failure.code) && (method === 'GET' || isNeverSent(failure));
	}
	if (failure.kind !== 'status') return false;
	const { status } = failure;
	return status === 429 || (method === 'GET' && TEMPORARY_STATUSES.includes(status));
}

/** Parses Retry-After (seconds or an HTTP date) into milliseconds; undefined if it is neither. */
export function parseRetryAfter(header: unknown, now: Date): number | undefined {
	if (typeof header !== 'string') return undefined;
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
