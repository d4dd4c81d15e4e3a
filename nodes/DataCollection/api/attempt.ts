import type { IN8nHttpFullResponse } from 'n8n-workflow';

import type { Clock } from '../clock';
import { CREDENTIAL } from '../credential/connection';
import { resourceIn } from './response';
import { SSRF_BLOCKED } from './retry';
import type { ApiCall, Failure, Result, Session } from './types';

/** Sends a call's request once and reads the response, all within `timeout` milliseconds. */
export async function attempt<T extends { _id: string }>(
	session: Session,
	call: ApiCall,
	timeout: number,
): Promise<Result<T>> {
	return await exchange(session.clock, timeout, async () =>
		resourceIn<T>(session, await send(session, call, timeout)),
	);
}

/**
 * Waits for an HTTP exchange, including the whole response, for at most `timeout` milliseconds. n8n's
 * own timeout starts again with each byte, so a trickling body could block the workflow for hours.
 * A request that is given up goes on in n8n until n8n's timeout, its end or a cancellation, and what
 * comes of it is ignored: the service may still carry it out.
 */
export async function exchange<T>(
	clock: Clock,
	timeout: number,
	work: () => Promise<Result<T>>,
): Promise<Result<T>> {
	let result: Result<T> = { ok: false, failure: { kind: 'network', code: 'ETIMEDOUT' } };
	const settled = work().then(
		(value) => {
			result = value;
		},
		(error: unknown) => {
			result = { ok: false, failure: networkFailure(error) };
		},
	);
	// Races without the response: until its time is over, the timer keeps what the race has resolved to.
	await Promise.race([settled, clock.timeout(timeout)]);
	return result;
}

/** The signal that aborts when the execution is cancelled. A webhook call cannot be cancelled. */
export function cancelSignalOf(context: Session['context']): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Redirects are off because n8n would send both authentication headers to the other host. */
async function send(
	{ context, connection }: Session,
	{ method, path, body }: ApiCall,
	timeout: number,
): Promise<IN8nHttpFullResponse> {
	const options = {
		method,
		url: `${connection.baseUrl}${path}`,
		body,
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
	} as const;
	// Without this, n8n would read and decrypt the credential for every request.
	const decrypted = { id: '', name: CREDENTIAL, type: CREDENTIAL, data: connection.credential };
	return (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options, {
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
