import type { IDataObject } from 'n8n-workflow';

import type { NetworkFailure } from '../basics/networkFailure';
import type { Result } from '../basics/result';
import type { CollectionRequest } from './collectionRequest';
import type { Connection } from './connection';

export interface CallOptions {
	/** Seconds for each attempt. */
	timeout: number;
	/** Milliseconds since 1970 after which there is no new attempt. Default: 90 s from now. */
	deadline?: number;
	/** The input item that an error names. */
	itemIndex?: number;
}

interface ApiRequest {
	method: 'GET' | 'POST';
	url: string;
	body?: IDataObject;
}

/** The body is parsed JSON or text. */
export interface ApiResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

export interface Session {
	connection: Connection;
	/** With the keys, for at most so many milliseconds. */
	send: (request: ApiRequest, timeout: number) => Promise<Result<ApiResponse, NetworkFailure>>;
	onRead?: (request: CollectionRequest) => void;
	/** Aborts when the execution is cancelled. */
	signal?: AbortSignal;
	/** Milliseconds since 1970 before which nothing is sent: all items pause after a 429. */
	resumeAt: number;
}

export interface ApiCall extends CallOptions {
	method: 'GET' | 'POST';
	/** Relative to the API base URL. */
	path: string;
	body?: IDataObject;
	subject: 'collection request' | 'share';
	/** The ID that a read asks for. */
	id?: string;
	/** The collection request whose share a read asks for. */
	requestId?: string;
}

/** Why an attempt returned no usable resource. */
export type AttemptFailure =
	/** A status other than 2xx. `message`: the service's own. `retryAfter`: milliseconds to wait. */
	| { kind: 'status'; status: number; message?: string; retryAfter?: number }
	/** A 2xx without an object whose `_id` is a string. `id` is what stands there, as text. */
	| { kind: 'noId' | 'webPage'; status: number; id?: string }
	/** A 2xx with a resource that was not asked for, e.g. out of a cache. */
	| { kind: 'otherResource'; status: number }
	| NetworkFailure;
