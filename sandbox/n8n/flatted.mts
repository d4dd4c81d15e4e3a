function isContainer(value: unknown): value is Record<string, unknown> | unknown[] {
	return typeof value === 'object' && value !== null;
}

/**
 * Parses n8n's execution data: a JSON array in which every string inside a value is the index
 * of another element, and element 0 is the whole. Throws on text that is not such an array.
 */
export function parseFlatted(text: string): unknown {
	const table: unknown = JSON.parse(text);
	if (!Array.isArray(table) || table.length === 0) {
		throw new TypeError('Execution data is not a flattened JSON array');
	}
	const entries: unknown[] = table;
	const resolve = (value: unknown) => (typeof value === 'string' ? entries[Number(value)] : value);
	// The containers are filled in place, so that repeated and circular references stay shared.
	for (const entry of entries.filter(isContainer)) {
		for (const [key, value] of Object.entries(entry)) Reflect.set(entry, key, resolve(value));
	}
	return entries[0];
}
