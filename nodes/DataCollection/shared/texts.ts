/** The filled entries of a list field, trimmed; an expression may also give a single text. */
export function textsOf(value: unknown): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	return entries
		.filter((entry) => typeof entry === 'string')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}
