import type { IDataObject } from 'n8n-workflow';

import { clock } from './clock';
import { err, type Result } from './result';
import type { Sanitizer } from './sanitize';

/** No complete response. `code` is Node's, e.g. `ECONNRESET`; `syscall` what failed, if known. */
export interface NetworkFailure {
	kind: 'network';
	code: string;
	syscall?: string;
}

/** The code for a request that n8n's own SSRF protection blocked. */
export const SSRF_BLOCKED = 'SSRF_BLOCKED';

const LONGEST_QUOTE = 300;

/**
 * Waits for what comes of an HTTP request for at most `timeout` milliseconds. n8n's own timeout starts
 * again with each byte, so a trickling body could block the workflow for hours. A request that is
 * given up goes on in n8n until n8n's timeout, its end or a cancellation, and what comes of it is
 * ignored: the service may still carry it out.
 */
export async function exchange<T>(
	timeout: number,
	response: Promise<T>,
): Promise<Result<T, NetworkFailure>> {
	let result: Result<T, NetworkFailure> = err({ kind: 'network', code: 'ETIMEDOUT' });
	const settled = response.then(
		(value) => {
			result = { ok: true, value };
		},
		(error: unknown) => {
			result = err(networkFailure(error));
		},
	);
	// Races without the response: until its time is over, the timer keeps what the race has resolved to.
	await Promise.race([settled, clock.timeout(timeout)]);
	return result;
}

/** Finds Node's error code and the failed system call. */
function networkFailure(error: unknown): NetworkFailure {
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

/** Whether a text body is markup, e.g. a login page. */
export const isWebPage = (body: unknown) => typeof body === 'string' && /^\s*</.test(body);

/**
 * What a response itself says about an error, or undefined. The API does not document the shape of an
 * error (Errors), so this tries the usual field names. It does not quote web pages, hides secrets,
 * and shortens long texts.
 */
export function messageIn(body: unknown, sanitizer: Sanitizer): string | undefined {
	const text = findMessage(body, 0);
	if (text === undefined) return undefined;
	const shown = sanitizer.text(text);
	return shown.length > LONGEST_QUOTE ? `${shown.slice(0, LONGEST_QUOTE)}…` : shown;
}

function findMessage(body: unknown, depth: number): string | undefined {
	if (typeof body === 'string') return isWebPage(body) ? undefined : body.trim() || undefined;
	if (depth > 3 || typeof body !== 'object' || body === null) return undefined;
	if (Array.isArray(body)) {
		const texts = body.slice(0, 5).map((entry) => findMessage(entry, depth + 1));
		return texts.filter((text) => text !== undefined).join('; ') || undefined;
	}
	for (const name of ['message', 'msg', 'error', 'detail', 'title', 'description', 'errors']) {
		const text = findMessage((body as IDataObject)[name], depth + 1);
		if (text !== undefined) return withPlace(body as IDataObject, text);
	}
	return undefined;
}

/** With the participant that the error is about, which validators often name in a field of its own. */
function withPlace(body: IDataObject, text: string): string {
	const places = ['path', 'instancePath', 'property', 'field', 'loc'].map((name) =>
		[body[name]].flat().join('.'),
	);
	const place = places.find((one) => one.includes('participantList')) ?? '';
	return text.includes(place) ? text : `${place}: ${text}`;
}
