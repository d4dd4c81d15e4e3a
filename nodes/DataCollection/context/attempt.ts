import type {
	ICredentialsDecrypted,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { pathSegment } from '../shared/address';
import { cleanCopy } from '../shared/cleanCopy';
import type { Failure } from '../shared/failure';
import { SSRF_BLOCKED } from '../shared/networkFailure';
import { isObject } from '../shared/payload';
import { parseRetryAfter } from '../shared/retry';
import { isWebPage, serviceMessage } from '../shared/serviceMessage';
import type { ApiCall, ApiContext } from './call';
import { CREDENTIAL } from './connection';
import { timing } from './timing';

/** The resource that the service answered, or why there is none. */
export type Answer<T> = { ok: true; resource: T } | { ok: false; failure: Failure };

/**
 * Sends the request once and waits at most `timeout` milliseconds for the whole answer. n8n's own
 * timeout ends with the first byte, so that a body that drips would hold the workflow for hours.
 */
export async function attempt<T extends { _id: string }>(
	context: ApiContext,
	call: ApiCall,
	timeout: number,
): Promise<Answer<T>> {
	const tooLate = timing.expiry(timeout).then(() => networkFailure<T>('ETIMEDOUT'));
	return await Promise.race([send<T>(context, call, timeout), tooLate]);
}

async function send<T extends { _id: string }>(
	context: ApiContext,
	call: ApiCall,
	timeout: number,
): Promise<Answer<T>> {
	let response: IN8nHttpFullResponse;
	try {
		response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			optionsOf(call, timeout),
			{ credentialsDecrypted: decrypted(call) },
		)) as IN8nHttpFullResponse;
	} catch (error) {
		return networkFailure(networkCode(error));
	}
	return read<T>(response, call.connection.secrets);
}

/** Left to itself n8n would read and decrypt the credential for every request. */
const decrypted = ({ connection }: ApiCall): ICredentialsDecrypted => ({
	id: '',
	name: CREDENTIAL,
	type: CREDENTIAL,
	data: connection.credential,
});

/** Redirects are off because n8n would carry both authentication headers to the other host. */
function optionsOf(call: ApiCall, timeout: number): IHttpRequestOptions {
	const shared = {
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
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
	{ statusCode: status, body, headers }: IN8nHttpFullResponse,
	secrets: string[],
): Answer<T> {
	if (status < 200 || status >= 300) {
		const retryAfter = parseRetryAfter(headers['retry-after'], new Date(timing.now()));
		const said = serviceMessage(body, secrets);
		return { ok: false, failure: { kind: 'status', status, said, retryAfter } };
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

const networkFailure = <T>(code: string): Answer<T> => ({
	ok: false,
	failure: { kind: 'network', code },
});

/** Node's error code, e.g. `ECONNREFUSED`; n8n wraps the original error as the cause. */
function networkCode(error: unknown): string {
	for (let inner: unknown = error, depth = 0; isObject(inner) && depth < 5; depth += 1) {
		if (typeof inner.name === 'string' && inner.name.startsWith('SsrfBlocked')) return SSRF_BLOCKED;
		if (typeof inner.code === 'string') return inner.code;
		inner = inner.cause;
	}
	return 'no answer';
}
