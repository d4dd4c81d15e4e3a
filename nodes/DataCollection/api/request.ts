import { NodeOperationError } from 'n8n-workflow';

import { sleepUntil } from '../clock';
import { attempt, cancelSignalOf } from './attempt';
import type { ApiCall, Session } from './types';
import { apiError } from './errors';
import { retryDelay } from './retry';

/** Milliseconds after the first attempt within which another may begin. */
const BUDGET = 90_000;

/** Makes a call, with retries as {@link retryDelay} says, until its deadline or cancellation. */
export async function request<T extends { _id: string }>(
	session: Session,
	call: ApiCall,
): Promise<T> {
	const { clock } = session;
	// Timers cannot wait longer than this.
	const timeout = Math.min(Math.ceil(call.timeout * 1000), 2 ** 31 - 1);
	await sleepUntilAllowed(session, call, 0);
	const deadline = call.deadline ?? clock.now() + Math.max(BUDGET, timeout);

	for (let count = 1; ; count += 1) {
		const allowed = attemptTimeout(session, call, timeout, deadline);
		const result = await attempt<T>(session, call, allowed);
		if (result.ok) return result.resource;

		const { failure } = result;
		const delay = retryDelay(call.method, count, failure, clock.random);
		const next = clock.now() + (delay ?? Infinity);
		if (Math.max(next, session.resumeAt) >= deadline) throw apiError(session, call, failure);
		if (failure.kind === 'status' && failure.status === 429) {
			session.resumeAt = Math.max(session.resumeAt, next);
		}
		await sleepUntilAllowed(session, call, next);
		if (clock.now() >= deadline) throw apiError(session, call, failure);
	}
}

/** Sleeps until the given time, and until a pause of all items is over. Throws when cancelled. */
async function sleepUntilAllowed(session: Session, call: ApiCall, time: number): Promise<void> {
	const { context, clock } = session;
	const cancelled = cancelSignalOf(context);
	for (let until = time; ; until = session.resumeAt) {
		await sleepUntil(clock, Math.max(until, session.resumeAt), cancelled);
		if (cancelled?.aborted) {
			throw new NodeOperationError(context.getNode(), 'The execution was cancelled', {
				itemIndex: call.itemIndex,
				description: 'No further request was sent for this item.',
			});
		}
		if (session.resumeAt <= clock.now()) return;
	}
}

/** A create always gets its full timeout: if it were cut short, it could succeed unnoticed. */
function attemptTimeout({ clock }: Session, call: ApiCall, timeout: number, deadline: number) {
	if (call.method === 'POST') return timeout;
	return Math.max(1, Math.min(timeout, Math.ceil(deadline - clock.now())));
}
