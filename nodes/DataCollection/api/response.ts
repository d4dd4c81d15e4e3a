import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Sanitizer } from '../sanitize';
import { removeHarmfulFields } from '../sanitize';
import { parseRetryAfter } from './retry';
import type { Failure, Result, Session } from './types';

/**
 * Room for a share with tens of thousands of participants, and as much as n8n accepts in a request.
 * The larger the response, the longer reading it holds up everything else in n8n.
 */
const MAXIMUM_BYTES = 16 * 1024 * 1024;

/** The number of bytes of a response that are enough to quote its message. */
export const ENOUGH_FOR_A_MESSAGE = 64 * 1024;

const LONGEST_QUOTE = 300;

/** Reads the resource. A 2xx alone proves nothing: login pages and truncated bodies have one, too. */
export async function readResource<T extends { _id: string }>(
	{ connection: { sanitizer }, clock }: Session,
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	signal: AbortSignal,
): Promise<Result<T>> {
	if (status < 200 || status >= 300) {
		// The status alone says what happened to the request, even if the body cannot be read.
		const read = await readBody(body, signal, ENOUGH_FOR_A_MESSAGE).catch(() => undefined);
		const message = read?.ok ? serviceMessage(read.content, sanitizer) : undefined;
		const retryAfter = parseRetryAfter(headers['retry-after'], new Date(clock.now()));
		return failed({ kind: 'status', status, message, retryAfter });
	}
	const read = await readBody(body, signal, MAXIMUM_BYTES);
	if (!read.ok) return failed({ kind: 'too large', status });
	if (isWebPage(read.content)) return failed({ kind: 'web page', status });
	const { _id: id } = { ...(read.content as IDataObject) };
	if (typeof id !== 'string' || id === '') {
		return failed({ kind: 'no ID', status, id: typeof id === 'number' ? String(id) : undefined });
	}
	try {
		return { ok: true, value: removeHarmfulFields(read.content as T) };
	} catch {
		return failed({ kind: 'too deep', status, id });
	}
}

const failed = (failure: Failure) => ({ ok: false, failure }) as const;

/** A body that arrives in chunks, as from Node's readable streams. */
interface BodyStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

const isStream = (body: unknown): body is BodyStream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'destroy' in body;

/** The JSON value or the text of a body. */
type Body = { ok: true; content: unknown } | { ok: false; reason: 'too large' };

/**
 * Reads a body: its JSON value, or its text if it is not JSON. Stops reading if the decompressed
 * body exceeds the limit. Closes the connection when the signal aborts.
 */
export async function readBody(
	body: unknown,
	signal: AbortSignal,
	maximumBytes: number,
): Promise<Body> {
	if (!isStream(body)) return { ok: true, content: body };
	const close = () => body.destroy();
	if (signal.aborted) close();
	signal.addEventListener('abort', close);

	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		// Leaving the loop destroys the stream.
		if (size > maximumBytes) return { ok: false, reason: 'too large' };
		chunks.push(chunk);
	}
	const text = new TextDecoder().decode(Buffer.concat(chunks));
	try {
		return { ok: true, content: JSON.parse(text) };
	} catch {
		return { ok: true, content: text };
	}
}

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
