import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { pathSegment } from '../shared/address';
import { cleanCopy } from '../shared/cleanCopy';
import type { FailedCall, Failure } from '../shared/failure';
import { explain } from '../shared/failure';
import { isObject } from '../shared/payload';
import { isWebPage, serviceMessage } from '../shared/serviceMessage';
import type { CreateCollectionRequest } from '../shared/types';
import type { Connection } from './connection';
import { CREDENTIAL } from './connection';

/** Every n8n context that can call the service. */
export type ApiContext = IExecuteFunctions | IWebhookFunctions;

interface Call {
	connection: Connection;
	/** Seconds until an attempt is given up. */
	timeout: number;
	itemIndex?: number;
}

/** Reads one resource; the ID may hold any characters, it is encoded into the path. */
export interface ReadCall extends Call {
	request: 'read';
	resource: 'collection-request' | 'share';
	id: string;
}

/** Creates a collection request; sent once, because the service shows no idempotency key. */
export interface CreateCall extends Call {
	request: 'create';
	body: CreateCollectionRequest;
}

type Answer<T> = { ok: true; resource: T } | { ok: false; failure: Failure };

/**
 * The only function that makes a request (Endpoints). Resolves to the resource the service
 * answered, cleaned of secrets and harmful keys; throws a NodeApiError worded for the user.
 */
export async function apiRequest<T extends { _id: string }>(
	context: ApiContext,
	call: ReadCall | CreateCall,
): Promise<T> {
	const answer = await attempt<T>(context, call);
	if (answer.ok) return answer.resource;
	throw apiError(context, call, answer.failure);
}

async function attempt<T extends { _id: string }>(
	context: ApiContext,
	call: ReadCall | CreateCall,
): Promise<Answer<T>> {
	let response: IN8nHttpFullResponse;
	try {
		response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			optionsOf(call),
		)) as IN8nHttpFullResponse;
	} catch (error) {
		return { ok: false, failure: { kind: 'network', code: networkCode(error) } };
	}
	return read<T>(response, call.connection.secrets);
}

/** Redirects are off because n8n would carry both authentication headers to the other host. */
function optionsOf(call: ReadCall | CreateCall): IHttpRequestOptions {
	const shared = {
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: call.timeout * 1000,
	};
	const { baseUrl } = call.connection;
	if (call.request === 'create') {
		return { ...shared, method: 'POST', url: `${baseUrl}/di/collection-request/`, body: call.body };
	}
	const url = `${baseUrl}/di/${call.resource}/${pathSegment(call.id)}`;
	return { ...shared, method: 'GET', url };
}

/** A 2xx alone proves nothing: login pages and cut-off bodies arrive as text without an exception. */
function read<T extends { _id: string }>(
	{ statusCode: status, body }: IN8nHttpFullResponse,
	secrets: string[],
): Answer<T> {
	if (status < 200 || status >= 300) {
		return {
			ok: false,
			failure: { kind: 'status', status, said: serviceMessage(body, secrets) },
		};
	}
	if (!isObject(body) || typeof body._id !== 'string' || body._id === '') {
		return { ok: false, failure: { kind: 'unexpected', status, isWebPage: isWebPage(body) } };
	}
	try {
		return { ok: true, resource: cleanCopy(body, secrets) as T };
	} catch {
		return { ok: false, failure: { kind: 'unexpected', status, isWebPage: false } };
	}
}

/** A new error from plain words: n8n's own holds the request with its headers. */
function apiError(context: ApiContext, call: ReadCall | CreateCall, failure: Failure) {
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

function describe(call: ReadCall | CreateCall): FailedCall {
	const { environment } = call.connection;
	if (call.request === 'create') {
		return { request: 'create', subject: 'collection request', environment };
	}
	const subject = call.resource === 'share' ? 'share' : 'collection request';
	return { request: 'read', subject, id: call.id, environment };
}

/** Node's error code, e.g. `ECONNREFUSED`; n8n wraps the original error as the cause. */
function networkCode(error: unknown): string {
	for (let inner: unknown = error, depth = 0; isObject(inner) && depth < 5; depth += 1) {
		if (typeof inner.code === 'string') return inner.code;
		inner = inner.cause;
	}
	return 'no answer';
}
