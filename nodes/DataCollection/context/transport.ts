import type { JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { FailedCall, Failure } from '../shared/failure';
import { explain } from '../shared/failure';
import { retryDelay } from '../shared/retry';
import { attempt } from './attempt';
import type { ApiCall, ApiContext } from './call';
import { paceOf } from './pace';
import { cancelSignalOf, pauseUntil, timing } from './timing';

/** Milliseconds within which an attempt may begin, counted from the first. */
const BUDGET = 90_000;

/** The longest that a timer can wait. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * The only function that makes a request (Endpoints). Resolves to the resource the service
 * answered, cleaned of secrets and harmful keys; throws a NodeApiError worded for the user. Tries
 * again as {@link retryDelay} says, within the deadline and until the execution is cancelled.
 */
export async function apiRequest<T extends { _id: string }>(
	context: ApiContext,
	call: ApiCall,
): Promise<T> {
	const pace = paceOf(context);
	const timeout = Math.min(Math.ceil(call.timeout * 1000), LONGEST_TIMEOUT);
	await pauseUntilAllowed(context, call, 0);
	const deadline = call.deadline ?? timing.now() + Math.max(BUDGET, timeout);

	for (let count = 1; ; count += 1) {
		const answer = await attempt<T>(context, call, attemptTimeout(call, timeout, deadline));
		if (answer.ok) return answer.resource;

		const delay = retryDelay(call.request, count, answer.failure);
		const next = timing.now() + (delay ?? Infinity);
		if (Math.max(next, pace.resumeAt) >= deadline) throw apiError(context, call, answer.failure);
		if (isSlowDown(answer.failure)) pace.resumeAt = Math.max(pace.resumeAt, next);
		await pauseUntilAllowed(context, call, next);
		if (timing.now() >= deadline) throw apiError(context, call, answer.failure);
	}
}

/** Pauses until the time, and as long as the items of the execution hold back; throws if cancelled. */
async function pauseUntilAllowed(context: ApiContext, call: ApiCall, time: number): Promise<void> {
	const pace = paceOf(context);
	const cancelled = cancelSignalOf(context);
	for (let until = time; ; until = pace.resumeAt) {
		await pauseUntil(Math.max(until, pace.resumeAt), cancelled);
		if (cancelled?.aborted) throw cancelledError(context, call);
		if (pace.resumeAt <= timing.now()) return;
	}
}

/** A create always has its whole time: cut short it could succeed without anybody knowing. */
function attemptTimeout({ request }: ApiCall, timeout: number, deadline: number): number {
	if (request === 'create') return timeout;
	return Math.max(1, Math.min(timeout, Math.ceil(deadline - timing.now())));
}

const isSlowDown = (failure: Failure) => failure.kind === 'status' && failure.status === 429;

const cancelledError = (context: ApiContext, { itemIndex }: ApiCall) =>
	new NodeOperationError(context.getNode(), 'The execution was cancelled', {
		itemIndex,
		description: 'Nothing was sent for this item after that.',
	});

/** A new error from plain words: n8n's own holds the request with its headers. */
function apiError(context: ApiContext, call: ApiCall, failure: Failure) {
	const { sanitizer } = call.connection;
	const explanation = explain(describe(call), failure);
	const message = sanitizer.text(explanation.message);
	const description = sanitizer.text(explanation.description);
	const httpCode = failure.kind === 'network' ? undefined : String(failure.status);
	const error = new NodeApiError(context.getNode(), { message } as JsonObject, {
		message,
		description,
		httpCode,
		itemIndex: call.itemIndex,
	});
	// n8n replaces a message that contains the name of an error code, which an ID may happen to do.
	error.message = message;
	return error;
}

function describe(call: ApiCall): FailedCall {
	const { environment } = call.connection;
	if (call.request === 'create') {
		return { request: 'create', subject: 'collection request', environment };
	}
	const subject = call.resource === 'share' ? 'share' : 'collection request';
	return { request: 'read', subject, id: call.id, environment };
}
