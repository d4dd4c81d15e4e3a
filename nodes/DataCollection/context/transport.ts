import type { JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { FailedCall, Failure } from '../shared/failure';
import { explain } from '../shared/failure';
import { retryDelay } from '../shared/retry';
import { attempt } from './attempt';
import type { ApiCall, ApiContext } from './call';
import { paceOf } from './pace';
import { pauseUntil, timing } from './timing';

/** Milliseconds for a request with all its attempts, unless one attempt may take longer. */
const BUDGET = 90_000;

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
	const cancelled = cancelSignalOf(context);
	const timeout = call.timeout * 1000;
	const deadline = call.deadline ?? timing.now() + Math.max(BUDGET, timeout);

	for (let count = 1; ; count += 1) {
		await pauseUntil(pace.resumeAt, cancelled);
		const timeLeft = Math.max(1, deadline - timing.now());
		const answer = await attempt<T>(context, call, Math.min(timeout, timeLeft));
		if (answer.ok) return answer.resource;

		const delay = retryDelay(call.request, count, answer.failure);
		const next = timing.now() + (delay ?? Infinity);
		if (next > deadline || cancelled?.aborted) throw apiError(context, call, answer.failure);
		if (isSlowDown(answer.failure)) pace.resumeAt = Math.max(pace.resumeAt, next);
		await pauseUntil(next, cancelled);
		if (cancelled?.aborted) throw apiError(context, call, answer.failure);
	}
}

const isSlowDown = (failure: Failure) => failure.kind === 'status' && failure.status === 429;

function cancelSignalOf(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** A new error from plain words: n8n's own holds the request with its headers. */
function apiError(context: ApiContext, call: ApiCall, failure: Failure) {
	const { message, description } = explain(describe(call), failure);
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
