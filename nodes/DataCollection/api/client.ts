import type { NodeApiError } from 'n8n-workflow';

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

const PATHS = { 'collection request': '/di/collection-request/', share: '/di/share/' };

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
			const subject = 'collection request';
			const call = { method: 'POST', path: PATHS[subject], body, subject } as const;
			return await request(session, { ...call, ...options });
		},
		async getCollectionRequest(id, options) {
			const call = readCall('collection request', id, options);
			const found = await read<CollectionRequest>(session, call, readCall('share', id, options));
			if (typeof (found.shareId ?? '') === 'string') return found;
			throw apiError(session, call, { kind: 'unusable share ID' });
		},
		async getShare(id, options) {
			const other = readCall('collection request', id, options);
			return await read(session, readCall('share', id, options), other);
		},
	};
}

const readCall = (subject: ApiCall['subject'], id: string, options: CallOptions): ApiCall => {
	return { method: 'GET', path: `${PATHS[subject]}${pathSegment(id)}`, subject, id, ...options };
};

/** Reads a resource. The two kinds of ID are easily mixed up: one not found is tried as the other. */
async function read<T extends { _id: string }>(
	session: Session,
	call: ApiCall,
	other: ApiCall,
): Promise<T> {
	return await request<T>(session, call).catch(async (error: NodeApiError) => {
		const isOfOtherKind =
			error.httpCode === '404' &&
			(await request(session, other).then(
				() => true,
				() => false,
			));
		throw isOfOtherKind ? apiError(session, call, { kind: 'other kind', status: 404 }) : error;
	});
}
