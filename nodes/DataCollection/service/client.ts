import { clock, sleepUntil } from '../basics/clock';
import { err } from '../basics/result';
import { pathSegment } from '../basics/url';
import { attempt } from './attempt';
import { callFailure, cancelled, type Read } from './callFailure';
import type { ApiCall, CallOptions, AttemptFailure, Session } from './callTypes';
import type { CollectionRequest, CreateCollectionRequest } from './collectionRequest';
import { RETRY, retryDelay } from './retry';
import type { Share } from './share';

const PATHS = { 'collection request': '/di/collection-request/', share: '/di/share/' };

export type ApiClient = ReturnType<typeof createClient>;

/**
 * For one execution or delivery (Endpoints). Secrets in resources are hidden only in what is
 * output.
 */
export function createClient(parts: Omit<Session, 'resumeAt'>) {
	const session: Session = { ...parts, resumeAt: 0 };
	return {
		/** Retried only if the request certainly did not arrive: the API has no idempotency key. */
		async createCollectionRequest(body: CreateCollectionRequest, options: CallOptions) {
			const subject = 'collection request';
			const call = { method: 'POST', path: PATHS[subject], body, subject } as const;
			return await request<CollectionRequest>(session, { ...call, ...options });
		},
		async getCollectionRequest(id: string, options: CallOptions) {
			const read = await get<CollectionRequest>(session, 'collection request', id, options);
			if (read.ok) session.onRead?.(read.value);
			return read;
		},
		async getShare(id: string, options: CallOptions) {
			return await get<Share>(session, 'share', id, options);
		},
		/** Null while the service has not created a share. */
		async getShareOf({ _id, shareId }: CollectionRequest, options: CallOptions) {
			const none = { ok: true, value: null } as const;
			return shareId ? await get<Share>(session, 'share', shareId, options, _id) : none;
		},
	};
}

async function get<T extends { _id: string }>(
	session: Session,
	subject: ApiCall['subject'],
	id: string,
	options: CallOptions,
	requestId?: string,
): Promise<Read<T>> {
	const text = String(id);
	const path = `${PATHS[subject]}${pathSegment(text)}`;
	const call = { method: 'GET', path, subject, id: text, requestId } as const;
	return await request<T>(session, { ...call, ...options });
}

/** Retries as {@link retryDelay} says, until the call's deadline or a cancellation. */
async function request<T extends { _id: string }>(
	session: Session,
	call: ApiCall,
): Promise<Read<T>> {
	const fail = (failure: AttemptFailure) => err(callFailure(session.connection, call, failure));
	const timeout = Math.ceil(call.timeout * 1000);
	if (!(await sleepUntilAllowed(session, 0))) return err(cancelled(call));
	const deadline = call.deadline ?? clock.now() + Math.max(RETRY.totalTime, timeout);

	if (call.method === 'GET' && clock.now() >= deadline) {
		return fail({ kind: 'network', code: 'ETIMEDOUT' });
	}
	for (let count = 1; ; count += 1) {
		// A create always gets its full timeout: if it were cut short, it could succeed unnoticed.
		const allowed = call.method === 'POST' ? Infinity : Math.ceil(deadline - clock.now());
		const result = await attempt<T>(session, call, Math.max(1, Math.min(timeout, allowed)));
		if (result.ok) return result;

		const failure = result.error;
		const delay = retryDelay(call.method, count, failure, clock.random);
		const next = clock.now() + (delay ?? Infinity);
		if (Math.max(next, session.resumeAt) >= deadline) return fail(failure);
		if (failure.kind === 'status' && failure.status === 429) {
			session.resumeAt = Math.max(session.resumeAt, next);
		}
		if (!(await sleepUntilAllowed(session, next))) return err(cancelled(call));
		if (clock.now() >= deadline) return fail(failure);
	}
}

/** Also waits for the end of a pause of all items. False when cancelled. */
async function sleepUntilAllowed(session: Session, time: number): Promise<boolean> {
	const { signal } = session;
	do {
		await sleepUntil(Math.max(time, session.resumeAt), signal);
		if (signal?.aborted) return false;
	} while (clock.now() < session.resumeAt);
	return true;
}
