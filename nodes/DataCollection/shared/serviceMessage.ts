import { isObject } from './payload';
import type { Sanitizer } from './sanitize';

const LONGEST_QUOTE = 300;

/**
 * What the service itself says about a refusal, or undefined. The interface shows no error shape, so
 * the usual names are tried; web pages are not quoted, secrets are hidden, long texts are cut.
 */
export function serviceMessage(body: unknown, sanitizer: Sanitizer): string | undefined {
	const text = findMessage(body, 0);
	if (text === undefined) return undefined;
	const shown = sanitizer.text(text);
	return shown.length > LONGEST_QUOTE ? `${shown.slice(0, LONGEST_QUOTE)}…` : shown;
}

function findMessage(body: unknown, depth: number): string | undefined {
	if (typeof body === 'string') return isWebPage(body) ? undefined : body.trim() || undefined;
	if (depth > 3) return undefined;
	if (Array.isArray(body)) {
		const texts = body.slice(0, 5).map((entry) => findMessage(entry, depth + 1));
		return texts.filter((text) => text !== undefined).join('; ') || undefined;
	}
	if (!isObject(body)) return undefined;
	for (const name of ['message', 'error', 'detail', 'title', 'description', 'errors']) {
		const text = findMessage(body[name], depth + 1);
		if (text !== undefined) return text;
	}
	return undefined;
}

/** Whether a text body is markup, e.g. a login page. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*</.test(body);
}
