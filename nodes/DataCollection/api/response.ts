import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Sanitizer } from '../sanitize';
import { removeHarmfulFields } from '../sanitize';
import { parseRetryAfter } from './retry';
import type { Failure, Result, Session } from './types';

const LONGEST_QUOTE = 300;

/** Finds the resource. A 2xx alone proves nothing: login pages and truncated bodies have one, too. */
export function resourceIn<T extends { _id: string }>(
	{ connection: { sanitizer }, clock }: Session,
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
): Result<T> {
	if (status < 200 || status >= 300) {
		const message = serviceMessage(body, sanitizer);
		const retryAfter = parseRetryAfter(headers['retry-after'], new Date(clock.now()));
		return failed({ kind: 'status', status, message, retryAfter });
	}
	if (isWebPage(body)) return failed({ kind: 'web page', status });
	const { _id: id } = { ...(body as IDataObject) };
	if (typeof id !== 'string' || id === '') {
		return failed({ kind: 'no ID', status, id: typeof id === 'number' ? String(id) : undefined });
	}
	return { ok: true, value: removeHarmfulFields(body as T) };
}

const failed = (failure: Failure) => ({ ok: false, failure }) as const;

/** Whether a text body is markup, e.g. a login page. */
export const isWebPage = (body: unknown) => typeof body === 'string' && /^\s*</.test(body);

/**
 * The service's own message about an error, or undefined. The API does not document the shape of an
 * error (Errors), so this tries the usual field names. It does not quote web pages, hides secrets,
 * and shortens long texts.
 */
export function serviceMessage(body: unknown, sanitizer: Sanitizer): string | undefined {
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
	for (const name of ['message', 'error', 'detail', 'title', 'description', 'errors']) {
		const text = findMessage((body as IDataObject)[name], depth + 1);
		if (text !== undefined) return text;
	}
	return undefined;
}
