import { clock, sleepUntil } from '../basics/clock';
import { attempt } from './attempt';
import { apiError } from './errors';
import { pathSegment } from './guestLink';
import { RETRY, retryDelay } from './retry';
import type { Share } from './share';
import type {
	ApiCall,
	CallOptions,
	CollectionRequest,
	CreateCollectionRequest,
	Session,
} from './types';

const PATHS = { 'collection request': '/di/collection-request/', share: '/di/share/' };

export type ApiClient = ReturnType<typeof createClient>;

/**
 * Creates a client of the service's API (Endpoints), for one execution or one delivery. Each
 * function resolves to the resource, without fields that could do harm; secrets in it are hidden only
 * in what is output. It throws one of the errors of the session, worded for the person who builds
 * the workflow.
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
			return await get<CollectionRequest>(session, 'collection request', id, options);
		},
		async getShare(id: string, options: CallOptions) {
			return await get<Share>(session, 'share', id, options);
		},
		/** The share of a collection request; null while the service has not created one. */
		async getShareOf({ _id: requestId, shareId }: CollectionRequest, options: CallOptions) {
			return shareId ? await get<Share>(session, 'share', shareId, options, requestId) : null;
		},
	};
}

async function get<T extends { _id: string }>(
	session: Session,
	subject: ApiCall['subject'],
	id: string,
	options: CallOptions,
	requestId?: string,
): Promise<T> {
	// The service may have sent the ID, so it may be a number.
	const text = String(id);
	const path = `${PATHS[subject]}${pathSegment(text)}`;
	const call = { method: 'GET', path, subject, id: text, requestId } as const;
	return await request<T>(session, { ...call, ...options });
}

/** Makes a call, with retries as {@link retryDelay} says, until its deadline or cancellation. */
async function request<T extends { _id: string }>(session: Session, call: ApiCall): Promise<T> {
	const timeout = Math.ceil(call.timeout * 1000);
	await sleepUntilAllowed(session, call, 0);
	const deadline = call.deadline ?? clock.now() + Math.max(RETRY.totalTime, timeout);

	if (call.method === 'GET' && clock.now() >= deadline) {
		throw apiError(session, call, { kind: 'network', code: 'ETIMEDOUT' });
	}
	for (let count = 1; ; count += 1) {
		// A create always gets its full timeout: if it were cut short, it could succeed unnoticed.
		const allowed = call.method === 'POST' ? Infinity : Math.ceil(deadline - clock.now());
		const result = await attempt<T>(session, call, Math.max(1, Math.min(timeout, allowed)));
		if (result.ok) return result.value;

		const failure = result.error;
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

/** Sleeps until a time, and until a pause of all items is over. Throws when cancelled. */
async function sleepUntilAllowed(session: Session, call: ApiCall, time: number): Promise<void> {
	const { signal, errors } = session;
	do {
		await sleepUntil(Math.max(time, session.resumeAt), signal);
		if (signal?.aborted) throw errors.cancelled(call.itemIndex);
	} while (clock.now() < session.resumeAt);
}
