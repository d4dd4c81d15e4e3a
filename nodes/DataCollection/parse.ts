/** The number in a field. An expression may also give it as text. Undefined if it is no number. */
export function parseNumber(value: unknown): number | undefined {
	const given = typeof value === 'string' ? Number(value.trim() || NaN) : value;
	return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}

/**
 * The non-empty entries of a list field, trimmed. Numbers become text. An expression may also give
 * a single entry, or the list as JSON. Undefined if an entry is neither text nor a number.
 */
export function parseList(value: unknown): string[] | undefined {
	const entries: unknown[] =
		typeof value === 'string' ? (parseJsonList(value) ?? [value]) : [value].flat();
	const given = entries.filter((entry) => entry !== undefined && entry !== null);
	const texts = given.map((entry) => (parseNumber(entry) === undefined ? entry : String(entry)));
	if (!texts.every((text) => typeof text === 'string')) return undefined;
	return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** The same for entries that contain no commas, such as statuses and IDs: each may be several. */
export function parseWords(value: unknown): string[] | undefined {
	const entries = parseList(value);
	return entries && parseList(entries.flatMap((entry) => entry.split(/["[\],]/)));
}

function parseJsonList(text: string): unknown[] | undefined {
	try {
		const parsed: unknown = JSON.parse(text);
		return Array.isArray(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}
