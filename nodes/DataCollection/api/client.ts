import type { NodeApiError } from 'n8n-workflow';

import { pathSegment } from '../guestLink';
import { apiError } from './errors';
import { request } from './request';
import type {
	ApiCall,
	CallOptions,
	CollectionRequest,
	CreateCollectionRequest,
	Session,
	Share,
} from './types';

const PATHS = { 'collection request': '/di/collection-request/', share: '/di/share/' };

export type ApiClient = ReturnType<typeof createClient>;

/**
 * Creates a client of the service's API (Endpoints), for one execution or one delivery. Each
 * function resolves to the resource, without fields that could do harm; secrets in it are hidden only
 * in what is put out. It throws a NodeApiError worded for the person who builds the workflow, or a
 * NodeOperationError if the execution is cancelled.
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
			const other = readCall('share', id, options);
			const call = readCall('collection request', id, options);
			return await read<CollectionRequest>(session, call, other);
		},
		async getShare(id: string, options: CallOptions) {
			const other = readCall('collection request', id, options);
			return await read<Share>(session, readCall('share', id, options), other);
		},
	};
}

/** Whether an ID that the service sent can be used in a path. URLs resolve `.` and `..`, even encoded. */
const isPathSegment = (id: unknown) => typeof id === 'string' && id !== '.' && id !== '..';

const readCall = (subject: ApiCall['subject'], id: string, options: CallOptions): ApiCall => {
	return {
		method: 'GET',
		path: `${PATHS[subject]}${pathSegment(String(id))}`,
		subject,
		id,
		...options,
	};
};

/** Reads a resource. Tries an ID that is not found as the other kind: people mix them up easily. */
async function read<T extends { _id: string }>(
	session: Session,
	call: ApiCall,
	other: ApiCall,
): Promise<T> {
	if (!isPathSegment(call.id)) throw apiError(session, call, { kind: 'unusable ID' });
	return await request<T>(session, call).catch(async (error: NodeApiError) => {
		if (error.httpCode !== '404') throw error;
		const found = await request(session, other).catch(() => undefined);
		throw found ? apiError(session, call, { kind: 'other kind', status: 404 }) : error;
	});
}
