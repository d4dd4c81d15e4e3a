import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { CREDENTIAL } from '../credential/connection';
import type { ApiCall, Session } from './types';
import { ENOUGH_FOR_A_MESSAGE, isWebPage, readBody, serviceMessage, TOO_LARGE } from './response';
import type { Failure } from './retry';
import { parseRetryAfter, SSRF_BLOCKED } from './retry';

/** Far above any resource of the service; n8n itself takes bodies of up to 16 MiB from others. */
const MAXIMUM_BYTES = 64 * 1024 * 1024;

const failed = (failure: Failure) => ({ ok: false, failure }) as const;
type Failed = ReturnType<typeof failed>;

/** The resource that the service sent, or why there is none. */
type Result<T> = { ok: true; resource: T } | Failed;

/** Sends the request of a call once, and reads the response: all within `timeout` milliseconds. */
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
 * Runs one HTTP exchange, with its whole response, for at most `timeout` milliseconds; the signal must
 * close its connection. n8n's own timeout ends with the first byte, so that a trickling body would
 * hold the workflow for hours.
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
		// Goes with the exchange, which an execution and its signal may outlive by far.
		source?.addEventListener('abort', end, { signal });
	}
	const aborted = new Promise<never>((_resolve, reject) => {
		// The exchange ends by the same signal and has the first word: it may know the status already.
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

/** What aborts when the execution is cancelled; a webhook cannot be. */
export function cancelSignalOf(context: Session['context']): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * Redirects are off because n8n would carry both authentication headers to the other host. A stream
 * is asked for because only its reader can stop at a limit. In `execute` n8n's helper replaces the
 * signal by the one that its context returns: without ours it would go on loading.
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
	// Left to itself n8n would read and decrypt the credential for every request.
	const decrypted = { id: '', name: CREDENTIAL, type: CREDENTIAL, data: connection.credential };
	return (await context.helpers.httpRequestWithAuthentication.call(abortable, CREDENTIAL, options, {
		credentialsDecrypted: decrypted,
	})) as IN8nHttpFullResponse;
}

/** A 2xx alone proves nothing: login pages and cut-off bodies come with one, too. */
async function read<T extends { _id: string }>(
	{ connection: { sanitizer }, clock }: Session,
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	signal: AbortSignal,
): Promise<Result<T>> {
	if (status < 200 || status >= 300) {
		// The status alone says what became of the request, even if the rest cannot be read.
		const content = await readBody(body, signal, ENOUGH_FOR_A_MESSAGE).catch(() => undefined);
		const retryAfter = parseRetryAfter(headers['retry-after'], new Date(clock.now()));
		const said = serviceMessage(content, sanitizer);
		return failed({ kind: 'status', status, said, retryAfter });
	}
	const content = await readBody(body, signal, MAXIMUM_BYTES);
	if (content === TOO_LARGE) return failed({ kind: 'too large', status });
	if (isWebPage(content)) return failed({ kind: 'web page', status });
	const { _id: id } = { ...(content as IDataObject) };
	if (typeof id !== 'string' || id === '') return failed({ kind: 'no ID', status });
	try {
		return { ok: true, resource: sanitizer.copy(content as IDataObject) as T };
	} catch {
		return failed({ kind: 'no ID', status });
	}
}

/** Node's error code and the system call that failed; n8n wraps the original error as the cause. */
function networkFailure(error: unknown): Failure {
	const chain: Array<Record<string, unknown>> = [];
	for (let inner = error; typeof inner === 'object' && inner !== null && chain.length < 10; ) {
		const link = inner as Record<string, unknown>;
		chain.push(link);
		// Several addresses of one host were tried in vain: the first stands for all.
		inner = Array.isArray(link.errors) ? link.errors[0] : link.cause;
	}
	const first = (name: 'code' | 'syscall') =>
		chain.map((link) => link[name]).find((value) => typeof value === 'string');
	const isBlocked = chain.some(({ name }) => String(name).startsWith('SsrfBlocked'));
	const code = isBlocked ? SSRF_BLOCKED : (first('code') ?? 'no response');
	return { kind: 'network', code, syscall: first('syscall') };
}
