import type { Clock } from '../clock';
import { systemClock } from '../clock';
import type { Connection } from '../credential/connection';
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

/**
 * The service's API (Endpoints). Each function resolves to the resource, free of secrets and harmful
 * keys; it throws a NodeApiError worded for the person building the workflow, or a
 * NodeOperationError when the execution is cancelled.
 */
export interface ApiClient {
	/** Sent again only when it certainly did not arrive: the API has no idempotency key. */
	createCollectionRequest(
		body: CreateCollectionRequest,
		options: CallOptions,
	): Promise<CollectionRequest>;
	getCollectionRequest(id: string, options: CallOptions): Promise<CollectionRequest>;
	getShare(id: string, options: CallOptions): Promise<Share>;
}

/** A client for one execution, or for one delivery. */
export function createClient(
	context: Session['context'],
	connection: Connection,
	clock: Clock = systemClock,
): ApiClient {
	const session: Session = { context, connection, clock, resumeAt: 0 };
	return {
		async createCollectionRequest(body, options) {
			const path = '/di/collection-request/';
			const call = { method: 'POST', path, body, subject: 'collection request' } as const;
			return await request(session, { ...call, ...options });
		},
		async getCollectionRequest(id, options) {
			const path = `/di/collection-request/${pathSegment(id)}`;
			const subject = 'collection request';
			const call: ApiCall = { method: 'GET', path, subject, id, ...options };
			const found = await request<CollectionRequest>(session, call);
			if (typeof (found.shareId ?? '') === 'string') return found;
			throw apiError(session, call, { kind: 'unusable share ID' });
		},
		async getShare(id, options) {
			const path = `/di/share/${pathSegment(id)}`;
			return await request(session, { method: 'GET', path, subject: 'share', id, ...options });
		},
	};
}
