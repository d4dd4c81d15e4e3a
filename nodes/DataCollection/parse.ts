/** The number in a field. An expression may also give it as text. Undefined if it is no number. */
export function parseNumber(value: unknown): number | undefined {
	const given = typeof value === 'string' ? Number(value.trim() || NaN) : value;
	return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}

/**
 * The non-empty entries of a list field, trimmed. Numbers become text. An expression may also give
 * a single entry, or the list as text: JSON, or separated by commas. Undefined if an entry is
 * neither text nor a number.
 */
export function parseList(value: unknown): string[] | undefined {
	const entries = typeof value === 'string' ? listInText(value) : [value].flat();
	const texts = entries.map((entry) => (parseNumber(entry) === undefined ? entry : String(entry)));
	const filled = texts.filter((text) => text !== undefined && text !== null);
	if (!filled.every((text) => typeof text === 'string')) return undefined;
	return filled.map((text) => text.trim()).filter((text) => text !== '');
}

function listInText(text: string): unknown[] {
	try {
		const parsed: unknown = JSON.parse(text);
		if (Array.isArray(parsed)) return parsed;
	} catch {
		// Not JSON, so its entries are separated by commas.
	}
	const inside = text.trim().replace(/^\[(.*)\]$/s, '$1');
	return inside.split(',').map((entry) => entry.trim().replace(/^"(.*)"$/s, '$1'));
}

/** The statuses in a list field. An entry with commas means several statuses. */
export const parseStatuses = (value: unknown): string[] | undefined =>
	parseList(value)
		?.flatMap(listInText)
		.filter((status) => typeof status === 'string');
