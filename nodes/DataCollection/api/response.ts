import type { IDataObject } from 'n8n-workflow';

import type { Sanitizer } from '../sanitize';

const LONGEST_QUOTE = 300;

/** The number of bytes of a response that are enough to quote its message. */
export const ENOUGH_FOR_A_MESSAGE = 64 * 1024;

/** What {@link readBody} resolves to if the body exceeds the limit. */
export const TOO_LARGE = Symbol('a body above the limit');

/** A body that arrives in chunks, as from Node's readable streams. */
interface BodyStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

const isStream = (body: unknown): body is BodyStream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'destroy' in body;

/**
 * Reads a body: its JSON value, or its text if it is not JSON. Stops reading if the decompressed
 * body exceeds the limit. Closes the connection when the signal aborts.
 */
export async function readBody(
	body: unknown,
	signal: AbortSignal,
	maximumBytes: number,
): Promise<unknown> {
	if (!isStream(body)) return body;
	const close = () => body.destroy();
	if (signal.aborted) close();
	signal.addEventListener('abort', close);

	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		// Leaving the loop destroys the stream.
		if (size > maximumBytes) return TOO_LARGE;
		chunks.push(chunk);
	}
	const text = new TextDecoder().decode(Buffer.concat(chunks));
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
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
