import type { FailedCall, Failure } from './failure';
import { isConfiguration, isNeverSent } from './networkFailure';

/** Attempts per request, the first one included. */
export const MAXIMUM_ATTEMPTS = 3;

/** A service that asks for a longer pause than this many milliseconds ends the request instead. */
const LONGEST_PAUSE = 30_000;

const SHORTEST_BACKOFF = 100;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 8_000;

/** Added to what the service asks for, so that many workflows do not come back at one instant. */
const SPREAD = 250;

/** Statuses after which a read is tried again; the service may be well in a moment. */
const PASSING_STATUSES = [408, 500, 502, 503, 504];

/**
 * Milliseconds until the next attempt, undefined when there may be none. `attempt` counts from 1.
 * Reads are repeated after anything that passes; a create only when it certainly did not arrive,
 * because the interface shows no idempotency key. Full jitter, or what Retry-After asks for.
 */
export function retryDelay(
	request: FailedCall['request'],
	attempt: number,
	failure: Failure,
	random: () => number = Math.random,
): number | undefined {
	if (attempt >= MAXIMUM_ATTEMPTS || !isPassing(request, failure)) return undefined;
	const asked = failure.kind === 'status' ? failure.retryAfter : undefined;
	if (asked !== undefined) {
		return asked > LONGEST_PAUSE ? undefined : asked + random() * SPREAD;
	}
	const ceiling = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** attempt);
	return Math.max(SHORTEST_BACKOFF, random() * ceiling);
}

function isPassing(request: FailedCall['request'], failure: Failure): boolean {
	if (failure.kind === 'unexpected') return false;
	if (failure.kind === 'network') {
		if (isConfiguration(failure)) return false;
		return request === 'read' || isNeverSent(failure);
	}
	return (
		failure.status === 429 || (request === 'read' && PASSING_STATUSES.includes(failure.status))
	);
}

/**
 * Milliseconds that a Retry-After header asks for, given in seconds or as an HTTP date; undefined
 * when it is missing or neither.
 */
export function parseRetryAfter(header: unknown, now: Date): number | undefined {
	if (typeof header !== 'string') return undefined;
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
