import {
	isUnreachable,
	isUntrustedCertificate,
	type NetworkFailure,
	SSRF_BLOCKED,
} from '../basics/networkFailure';
import type { ApiCall, AttemptFailure } from './callTypes';

type Method = ApiCall['method'];

/** Times are in milliseconds. */
export const RETRY = {
	/** Attempts per call, including the first. */
	limit: 3,
	/** No attempt begins later than this after the first, or than a longer Timeout. */
	totalTime: 90_000,
	/** Only reads are retried after these. After 429, every call is. */
	statusCodes: [408, 500, 502, 503, 504],
	/** If the service asks for a longer pause, the call is not retried. */
	maxRetryAfter: 30_000,
	/** On top of the pause that the service asks for, so that workflows do not retry in step. */
	jitter: 250,
	/** Without such a pause, the delay is random, up to a maximum that doubles with each attempt. */
	minDelay: 100,
	maxFirstDelay: 1_000,
} as const;

/** Only a change to the credential or the network can fix these. */
const isConfiguration = (code: string) =>
	code === 'ENOTFOUND' || code === SSRF_BLOCKED || isUntrustedCertificate(code);

const isNeverSent = (failure: NetworkFailure) =>
	isUnreachable(failure) || isConfiguration(failure.code);

/** Whether the same request would be refused again. */
export const isRefusal = (status: number) =>
	status >= 400 && status < 500 && status !== 408 && status !== 429;

/** Whether a create may have succeeded although no proof arrived. Reads change nothing. */
export function mayHaveBeenCreated(method: Method, failure: AttemptFailure): boolean {
	if (method === 'GET') return false;
	if (failure.kind === 'network') return !isNeverSent(failure);
	return failure.kind !== 'status' || !(failure.status === 429 || isRefusal(failure.status));
}

/**
 * Milliseconds until the next attempt, with full jitter or as Retry-After asks; undefined if there
 * must be none. `attempt` counts from 1. Without an idempotency key, a create must not arrive
 * twice.
 */
export function retryDelay(
	method: Method,
	attempt: number,
	failure: AttemptFailure,
	random: () => number,
): number | undefined {
	if (attempt >= RETRY.limit || !isRetryable(method, failure)) return undefined;
	const retryAfter = failure.kind === 'status' ? failure.retryAfter : undefined;
	if (retryAfter !== undefined) {
		return retryAfter > RETRY.maxRetryAfter ? undefined : retryAfter + random() * RETRY.jitter;
	}
	return Math.max(RETRY.minDelay, random() * RETRY.maxFirstDelay * 2 ** (attempt - 1));
}

function isRetryable(method: Method, failure: AttemptFailure): boolean {
	if (failure.kind === 'network') {
		return !isConfiguration(failure.code) && (method === 'GET' || isNeverSent(failure));
	}
	if (failure.kind !== 'status') return false;
	const { status } = failure;
	return status === 429 || (method === 'GET' && RETRY.statusCodes.some((code) => code === status));
}

/** Milliseconds, from seconds or an HTTP date; undefined for anything else. */
export function parseRetryAfter(header: unknown, now: Date): number | undefined {
	if (typeof header !== 'string') return undefined;
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
