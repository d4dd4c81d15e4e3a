/** Up to a comma, a semicolon or a line break that does not stand in double quotes. */
const PART = /((?:"(?:\\.|[^"\\\r\n])*"|[^,;\r\n])*)([,;\r\n]|$)/g;

/**
 * The entries of a pasted list of addresses, as mail programs copy it. In
 * `Lovelace, Ada <ada@example.com>; ben@example.com`, the first comma separates nothing: what stands
 * before it is no address, so it is part of the name behind it.
 */
export function splitAddresses(text: string): string[] {
	const entries: string[] = [];
	let begun = '';
	for (const [, part = '', separator] of text.matchAll(PART)) {
		const entry = `${begun}${part}`;
		const isNameOnly = separator === ',' && part.trim() !== '' && !part.includes('@');
		if (!isNameOnly) entries.push(entry);
		begun = isNameOnly ? `${entry},` : '';
	}
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
