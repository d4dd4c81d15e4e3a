import type { IDataObject } from 'n8n-workflow';

import type { Redactor } from './redact';

const LONGEST_QUOTE = 300;

export const isWebPage = (body: unknown) => typeof body === 'string' && /^\s*</.test(body);

/** The usual field names, because the API does not document the shape of an error (Errors). */
export function messageIn(body: unknown, redactor: Redactor): string | undefined {
	const text = findMessage(body, 0);
	if (text === undefined) return undefined;
	const shown = redactor.text(text);
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
		if (text !== undefined) return text;
	}
	return undefined;
}
