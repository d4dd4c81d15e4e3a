import type { ApiCall } from './types';

/** Why a call brought no usable resource. */
export type Failure =
	/** A status other than 2xx; `retryAfter` is the pause it asks for, in milliseconds. */
	| { kind: 'status'; status: number; said?: string; retryAfter?: number }
	/** A 2xx with something else than a resource, which is an object with a text `_id`. */
	| { kind: 'no ID' | 'web page' | 'too large'; status: number }
	/** Not found, but there is a resource of the other kind with this ID. */
	| { kind: 'other kind'; status: 404 }
	/** A collection request that was read carries something else than a text as share ID. */
	| { kind: 'unusable share ID' }
	/** No whole response; `code` is Node's, e.g. `ECONNRESET`, and `syscall` what failed, if known. */
	| { kind: 'network'; code: string; syscall?: string };

export type NetworkFailure = Extract<Failure, { kind: 'network' }>;
type Method = ApiCall['method'];

/** Attempts per request, the first one included. */
export const MAXIMUM_ATTEMPTS = 3;

/** A service that asks for a longer pause than this many milliseconds ends the request instead. */
const LONGEST_PAUSE = 30_000;

const SHORTEST_BACKOFF = 100;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 8_000;

/** Added to what the service asks for, so that many workflows do not come back at one instant. */
const SPREAD = 250;

/** Temporary statuses: a read is sent again after them. */
const TEMPORARY_STATUSES = [408, 500, 502, 503, 504];

/** The code of a request that n8n's own SSRF protection did not let out. */
export const SSRF_BLOCKED = 'SSRF_BLOCKED';

/** Nobody listens, or nobody can say where the host is: it may be different in a moment. */
const UNREACHABLE = ['ECONNREFUSED', 'EAI_AGAIN'];

/** The same if they come from connecting; an established connection can end with them, too. */
const UNREACHABLE_WHILE_CONNECTING = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];

/** Node's reasons for not trusting a certificate, which it checks before it sends anything. */
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

/** Connection errors that only a change of the credential or of the network mends. */
const isConfiguration = (code: string) =>
	code === 'ENOTFOUND' || code === SSRF_BLOCKED || isUntrustedCertificate(code);

/** Whether the error proves that the request never reached the service. */
const isNeverSent = (failure: NetworkFailure) =>
	isUnreachable(failure) || isConfiguration(failure.code);

/** Statuses with which the service refuses a request, so that it has certainly created nothing. */
const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 408;

/** Whether a create may have happened although no proof of it arrived; reads leave nothing behind. */
export function isAmbiguous(method: Method, failure: Failure): boolean {
	if (method === 'GET') return false;
	if (failure.kind === 'network') return !isNeverSent(failure);
	return failure.kind !== 'status' || !isRefusal(failure.status);
}

/**
 * Milliseconds until the next attempt, undefined when there may be none. `attempt` counts from 1.
 * Reads are sent again after any temporary error; a create only when it certainly did not arrive,
 * because the API has no idempotency key. Full jitter, or what Retry-After asks for.
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
		return asked > LONGEST_PAUSE ? undefined : asked + random() * SPREAD;
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

/** The milliseconds that Retry-After asks for, as seconds or an HTTP date; undefined for neither. */
export function parseRetryAfter(header: unknown, now: Date): number | undefined {
	if (typeof header !== 'string') return undefined;
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
