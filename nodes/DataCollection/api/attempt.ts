import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { CREDENTIAL } from '../credential/connection';
import { removeHarmfulFields } from '../sanitize';
import type { ApiCall, Session } from './types';
import { ENOUGH_FOR_A_MESSAGE, isWebPage, readBody, serviceMessage, TOO_LARGE } from './response';
import type { Failure } from './retry';
import { parseRetryAfter, SSRF_BLOCKED } from './retry';

/**
 * Room for a share with tens of thousands of participants, and as much as n8n accepts in a request.
 * The larger the response, the longer reading it holds up everything else in n8n.
 */
const MAXIMUM_BYTES = 16 * 1024 * 1024;

const failed = (failure: Failure) => ({ ok: false, failure }) as const;
type Failed = ReturnType<typeof failed>;

/** The resource that the service sent, or the reason why there is none. */
type Result<T> = { ok: true; resource: T } | Failed;

/** Sends a call's request once and reads the response, all within `timeout` milliseconds. */
export async function attempt<T extends { _id: string }>(
	session: Session,
	call: ApiCall,
	timeout: number,
): Promise<Result<T>> {
	return await exchange(session, timeout, async (signal) => {
		const response = await send(session, call, timeout, signal);
		return await read<T>(session, response, signal);
	});
}

/**
 * Runs one HTTP exchange, including the whole response, for at most `timeout` milliseconds. `work`
 * must close its connection when the signal aborts. n8n's own timeout only covers the time until
 * the first byte, so a trickling body could block the workflow for hours.
 */
export async function exchange<T>(
	{ context, clock }: Pick<Session, 'context' | 'clock'>,
	timeout: number,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Failed> {
	const expiry = clock.timeout(timeout);
	const controller = new AbortController();
	const { signal } = controller;
	const end = () => controller.abort();
	for (const source of [expiry, cancelSignalOf(context)]) {
		if (source?.aborted) end();
		// Removed after the exchange: the execution and its signal may live much longer.
		source?.addEventListener('abort', end, { signal });
	}
	const aborted = new Promise<never>((_resolve, reject) => {
		// The same signal ends the exchange, which goes first: it may already know the status.
		signal.addEventListener('abort', () => void sleep(0).then(() => reject(new Error('Given up'))));
	});
	try {
		return await Promise.race([work(signal), aborted]);
	} catch (error) {
		return failed(expiry.aborted ? { kind: 'network', code: 'ETIMEDOUT' } : networkFailure(error));
	} finally {
		end();
	}
}

/** The signal that aborts when the execution is cancelled. A webhook call cannot be cancelled. */
export function cancelSignalOf(context: Session['context']): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * Redirects are off because n8n would send both authentication headers to the other host. The
 * response is a stream because only a stream's reader can stop at a size limit. In `execute`, n8n's
 * helper replaces the signal with the one that its context returns: unless that is ours, the helper
 * would continue to load the response after an abort.
 */
async function send(
	{ context, connection }: Session,
	{ method, path, body }: ApiCall,
	timeout: number,
	abortSignal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	const abortable = Object.create(context, {
		getExecutionCancelSignal: { value: () => abortSignal },
	}) as Session['context'];
	const options = {
		method,
		url: `${connection.baseUrl}${path}`,
		body,
		json: true,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
		abortSignal,
	} as const;
	// Without this, n8n would read and decrypt the credential for every request.
	const decrypted = { id: '', name: CREDENTIAL, type: CREDENTIAL, data: connection.credential };
	return (await context.helpers.httpRequestWithAuthentication.call(abortable, CREDENTIAL, options, {
		credentialsDecrypted: decrypted,
	})) as IN8nHttpFullResponse;
}

/** A 2xx alone proves nothing: login pages and truncated bodies have one, too. */
async function read<T extends { _id: string }>(
	{ connection: { sanitizer }, clock }: Session,
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	signal: AbortSignal,
): Promise<Result<T>> {
	if (status < 200 || status >= 300) {
		// The status alone says what happened to the request, even if the body cannot be read.
		const content = await readBody(body, signal, ENOUGH_FOR_A_MESSAGE).catch(() => undefined);
		const retryAfter = parseRetryAfter(headers['retry-after'], new Date(clock.now()));
		const said = serviceMessage(content, sanitizer);
		return failed({ kind: 'status', status, said, retryAfter });
	}
	const content = await readBody(body, signal, MAXIMUM_BYTES);
	if (content === TOO_LARGE) return failed({ kind: 'too large', status });
	if (isWebPage(content)) return failed({ kind: 'web page', status });
	const { _id: id } = { ...(content as IDataObject) };
	if (typeof id !== 'string' || id === '') {
		return failed({ kind: 'no ID', status, id: typeof id === 'number' ? String(id) : undefined });
	}
	try {
		return { ok: true, resource: removeHarmfulFields(content as T) };
	} catch {
		return failed({ kind: 'too deep', status, id });
	}
}

/** Finds Node's error code and the failed system call. n8n wraps the original error as `cause`. */
function networkFailure(error: unknown): Failure {
	const chain: Array<Record<string, unknown>> = [];
	for (let inner = error; typeof inner === 'object' && inner !== null && chain.length < 10; ) {
		const link = inner as Record<string, unknown>;
		chain.push(link);
		// Node tried several addresses of one host without success. The first error stands for all.
		inner = Array.isArray(link.errors) ? link.errors[0] : link.cause;
	}
	const first = (name: 'code' | 'syscall') =>
		chain.map((link) => link[name]).find((value) => typeof value === 'string');
	const isBlocked = chain.some(({ name }) => String(name).startsWith('SsrfBlocked'));
	const code = isBlocked ? SSRF_BLOCKED : (first('code') ?? 'no response');
	return { kind: 'network', code, syscall: first('syscall') };
}
