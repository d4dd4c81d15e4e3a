import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { CREDENTIAL } from '../credential/connection';
import { readResource } from './response';
import { SSRF_BLOCKED } from './retry';
import type { ApiCall, Failure, Result, Session } from './types';

/** Sends a call's request once and reads the response, all within `timeout` milliseconds. */
export async function attempt<T extends { _id: string }>(
	session: Session,
	call: ApiCall,
	timeout: number,
): Promise<Result<T>> {
	return await exchange(session, timeout, async (signal) => {
		const response = await send(session, call, timeout, signal);
		return await readResource<T>(session, response, signal);
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
	work: (signal: AbortSignal) => Promise<Result<T>>,
): Promise<Result<T>> {
	const timeoutSignal = clock.timeout(timeout);
	const controller = new AbortController();
	const { signal } = controller;
	const end = () => controller.abort();
	for (const source of [timeoutSignal, cancelSignalOf(context)]) {
		if (source?.aborted) end();
		// Not `AbortSignal.any`: with it, executions were never released from memory.
		source?.addEventListener('abort', end, { signal });
	}
	const aborted = new Promise<never>((_resolve, reject) => {
		const giveUp = () => reject(new Error('Given up'));
		// The same signal ends the exchange, which goes first: it may already know the status.
		signal.addEventListener('abort', () => void clock.sleep(0).then(giveUp));
	});
	try {
		return await Promise.race([work(signal), aborted]);
	} catch (error) {
		const failure = timeoutSignal.aborted ? TIMED_OUT : networkFailure(error);
		return { ok: false, failure };
	} finally {
		// Closes the connection of a response that was not read to its end, and removes the listeners.
		end();
	}
}

const TIMED_OUT: Failure = { kind: 'network', code: 'ETIMEDOUT' };

/** The signal that aborts when the execution is cancelled. A webhook call cannot be cancelled. */
export function cancelSignalOf(context: Session['context']): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * Redirects are off because n8n would send both authentication headers to the other host. The
 * response is a stream because only a stream's reader can stop at a size limit.
 */
async function send(
	{ context, connection }: Session,
	{ method, path, body }: ApiCall,
	timeout: number,
	abortSignal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	// In `execute`, n8n's helper replaces the signal with the one that its context returns. Unless that
	// is ours, the helper would continue to load the response after an abort.
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

/** Finds Node's error code and the failed system call. */
function networkFailure(error: unknown): Failure {
	const causes = causesOf(error);
	const first = (name: 'code' | 'syscall') =>
		causes.map((cause) => cause[name]).find((value) => typeof value === 'string');
	const isBlocked = causes.some(({ name }) => String(name).startsWith('SsrfBlocked'));
	const code = isBlocked ? SSRF_BLOCKED : (first('code') ?? 'no response');
	return { kind: 'network', code, syscall: first('syscall') };
}

/** The error, then what caused it, and so on: n8n wraps the original error as `cause`. */
function causesOf(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if (typeof error !== 'object' || error === null || depth === 10) return [];
	const fields = error as Record<string, unknown>;
	// Node tried several addresses of one host without success. The first error stands for all.
	const cause: unknown = Array.isArray(fields.errors) ? fields.errors[0] : fields.cause;
	return [fields, ...causesOf(cause, depth + 1)];
}
