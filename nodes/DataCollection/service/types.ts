import type { IDataObject } from 'n8n-workflow';

import type { NetworkFailure } from '../basics/networkFailure';
import type { Explanation, Result } from '../basics/result';
import type { Connection } from './connection';

/**
 * A collection request, as the service sends it (Collection request). Here and in the other
 * resources, all fields except `_id` are optional, because the API does not say which are always
 * present. Unknown fields pass through.
 */
export interface CollectionRequest extends IDataObject {
	_id: string;
	shareId?: string | null;
	shareStatus?: string;
}

/** A person who is invited when the collection request is created (Invited participant). */
export interface InvitedParticipant extends IDataObject {
	name?: string;
	email?: string;
	phoneNumber?: string;
	isAdmin?: boolean;
}

/** The body of a create, with only the fields that were set (Create body). */
export interface CreateCollectionRequest extends IDataObject {
	templateId?: string;
	childAccountId?: string;
	minimumParticipants?: number;
	maximumParticipants?: number;
	participantList?: InvitedParticipant[];
	webhookUrl?: string;
	webhookSecret?: string;
	webhookIdentifier?: string;
}

export interface CallOptions {
	/** Seconds after which one attempt is given up. */
	timeout: number;
	/** Milliseconds since 1970 after which there is no new attempt. Default: 90 s from now. */
	deadline?: number;
	/** The index of the input item that an error names. */
	itemIndex?: number;
}

/** A request to the service, without what authenticates it. */
export interface ApiRequest {
	method: 'GET' | 'POST';
	url: string;
	body?: IDataObject;
}

/** A complete response, with the body as parsed JSON or as text. */
export interface ApiResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/** What the calls of one execution share. */
export interface Session {
	connection: Connection;
	/** Sends a request with the keys, and waits for the response for so many milliseconds. */
	send: (request: ApiRequest, timeout: number) => Promise<Result<ApiResponse, NetworkFailure>>;
	/** Is told each collection request that is read. */
	onRead?: (request: CollectionRequest) => void;
	/** Aborts when the execution is cancelled. */
	signal?: AbortSignal;
	/** Milliseconds since 1970 before which nothing is sent: all items pause after a 429. */
	resumeAt: number;
}

/** One call of the service's API, and what its errors call the resource. */
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

/**
 * `missing`: the service does not have the resource, or not any more. `forbidden`: the key may not read
 * it. `invalid`: refused for another reason, and it would be again. `unavailable`: all else. `fatal`:
 * true of every resource, because the key is refused or the execution was cancelled.
 */
export type FailureKind = 'missing' | 'forbidden' | 'invalid' | 'unavailable' | 'fatal';

/** Why a call did not succeed, without secrets, for the person who builds the workflow. */
export interface CallFailure extends Explanation {
	kind: FailureKind;
	httpCode?: string;
	itemIndex?: number;
	/** Whether something may have been created. */
	isAmbiguous: boolean;
}

/** What came of a call: a resource, or why there is none. */
export type Read<T> = Result<T, CallFailure>;

/** Why an attempt returned no usable resource. */
export type Failure =
	/** A status other than 2xx. `message`: the service's own. `retryAfter`: milliseconds to wait. */
	| { kind: 'status'; status: number; message?: string; retryAfter?: number }
	/**
	 * A 2xx whose body is not a resource. A resource is an object whose `_id` is a string. `id` is what
	 * stands there, as text.
	 */
	| { kind: 'noId' | 'webPage'; status: number; id?: string }
	/** A 2xx with another resource than the one that was asked for, e.g. out of a cache. */
	| { kind: 'otherResource'; status: number }
	| NetworkFailure;
