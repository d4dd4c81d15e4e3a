import type {
	ICredentialsDecrypted,
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { pathSegment } from '../shared/address';
import type { Failure } from '../shared/failure';
import type { NetworkFailure } from '../shared/networkFailure';
import { SSRF_BLOCKED } from '../shared/networkFailure';
import { isObject } from '../shared/payload';
import { parseRetryAfter } from '../shared/retry';
import { isWebPage, serviceMessage } from '../shared/serviceMessage';
import type { ApiCall, ApiContext } from './call';
import { CREDENTIAL } from './connection';
import { readBody } from './responseBody';
import { cancelSignalOf, timing } from './timing';

/** The resource that the service answered, or why there is none. */
export type Answer<T> = { ok: true; resource: T } | { ok: false; failure: Failure };

/**
 * Sends the request once and waits at most `timeout` milliseconds for the whole response, then
 * closes the connection. n8n's own timeout ends with the first byte, so that a trickling body would
 * hold the workflow for hours.
 */
export async function attempt<T extends { _id: string }>(
	context: ApiContext,
	call: ApiCall,
	timeout: number,
): Promise<Answer<T>> {
	const options = optionsOf(call, timeout);
	const expiry = timing.timeout(timeout);
	const { signal, release } = whicheverFirst(expiry, cancelSignalOf(context));
	const aborted = new Promise<never>((_resolve, reject) => {
		// The exchange ends by the same signal and has the first word: it may know the status already.
		signal.addEventListener('abort', () => void sleep(0).then(() => reject(new Error('Given up'))));
	});
	try {
		return await Promise.race([exchange<T>(context, call, options, signal), aborted]);
	} catch (error) {
		const failure = expiry.aborted ? { code: 'ETIMEDOUT' } : networkFailureOf(error);
		return { ok: false, failure: { kind: 'network', ...failure } };
	} finally {
		release();
	}
}

/** A signal for the first of several; `release` lets go of them, which may outlive it by far. */
function whicheverFirst(...sources: Array<AbortSignal | undefined>) {
	const controller = new AbortController();
	const abort = () => controller.abort();
	for (const source of sources) source?.addEventListener('abort', abort);
	if (sources.some((source) => source?.aborted)) abort();
	const release = () => {
		for (const source of sources) source?.removeEventListener('abort', abort);
	};
	return { signal: controller.signal, release };
}

async function exchange<T extends { _id: string }>(
	context: ApiContext,
	call: ApiCall,
	options: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<Answer<T>> {
	const response = (await context.helpers.httpRequestWithAuthentication.call(
		abortable(context, signal),
		CREDENTIAL,
		{ ...options, abortSignal: signal },
		{ credentialsDecrypted: decrypted(call) },
	)) as IN8nHttpFullResponse;
	return await read<T>(response, call, signal);
}

/**
 * The context as n8n's helper needs it. In `execute` the helper replaces the signal of a request by
 * the one that this method returns, and would go on loading after the attempt was given up.
 */
function abortable<C extends ApiContext>(context: C, signal: AbortSignal): C {
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as C;
}

/** Left to itself n8n would read and decrypt the credential for every request. */
const decrypted = ({ connection }: ApiCall): ICredentialsDecrypted => ({
	id: '',
	name: CREDENTIAL,
	type: CREDENTIAL,
	data: connection.credential,
});

/**
 * Redirects are off because n8n would carry both authentication headers to the other host. A stream
 * is asked for because only its reader can stop at a limit.
 */
function optionsOf(call: ApiCall, timeout: number): IHttpRequestOptions {
	const shared: Partial<IHttpRequestOptions> = {
		json: true,
		encoding: 'stream',
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

/** A 2xx alone proves nothing: login pages and cut-off bodies come with one, too. */
async function read<T extends { _id: string }>(
	response: IN8nHttpFullResponse,
	call: ApiCall,
	signal: AbortSignal,
): Promise<Answer<T>> {
	const { sanitizer } = call.connection;
	const { statusCode: status, headers } = response;
	if (status < 200 || status >= 300) {
		// The status alone says what became of the request, even if the rest cannot be read.
		const { content } = await readBody(response.body, signal).catch(() => ({ content: undefined }));
		const retryAfter = parseRetryAfter(headers['retry-after'], new Date(timing.now()));
		const said = serviceMessage(content, sanitizer);
		return { ok: false, failure: { kind: 'status', status, said, retryAfter } };
	}
	const body = await readBody(response.body, signal);
	if (body.isTooLarge) return unexpected(status, 'too large');
	const { content } = body;
	if (!isObject(content) || typeof content._id !== 'string' || content._id === '') {
		return unexpected(status, isWebPage(content) ? 'web page' : undefined);
	}
	if (!isShareIdUsable(call, content)) return unexpected(status, 'share ID');
	try {
		return { ok: true, resource: sanitizer.copy(content) as T };
	} catch {
		return unexpected(status);
	}
}

const unexpected = (
	status: number,
	content?: Extract<Failure, { kind: 'unexpected' }>['content'],
): Answer<never> => ({ ok: false, failure: { kind: 'unexpected', status, content } });

/** A collection request that was read has a text as share ID, or none; another read begins with it. */
function isShareIdUsable(call: ApiCall, { shareId }: IDataObject): boolean {
	if (call.request === 'create' || call.resource === 'share') return true;
	return shareId === undefined || shareId === null || typeof shareId === 'string';
}

/** Node's error code and the system call that failed; n8n wraps the original error as the cause. */
function networkFailureOf(error: unknown): Omit<NetworkFailure, 'kind'> {
	const chain: object[] = [];
	for (let inner: unknown = error; isObject(inner) && chain.length < 5; inner = inner.cause) {
		if (typeof inner.name === 'string' && inner.name.startsWith('SsrfBlocked')) {
			return { code: SSRF_BLOCKED };
		}
		chain.push(inner);
		// Several addresses of one host were tried in vain.
		if (Array.isArray(inner.errors)) chain.push(...inner.errors.slice(0, 1).filter(isObject));
	}
	const first = (name: 'code' | 'syscall') =>
		chain
			.map((inner) => (inner as Record<string, unknown>)[name])
			.find((value) => typeof value === 'string');
	return { code: first('code') ?? 'no response', syscall: first('syscall') };
}
