/** Not U+200C and U+200D, which some languages need for their spelling. */
const INVISIBLE = /[^\P{Cf}\u200c\u200d]/gu;

/** Without invisible characters and surrounding white space. */
export function visible(text: string): string {
	const shown = text.replace(INVISIBLE, '').trim();
	return /^[\s\u200c\u200d]*$/.test(shown) ? '' : shown;
}

export const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/**
 * The same for all ways to type a text: in any width, with any digits, with invisible characters.
 */
export const unified = (text: string): string =>
	isAscii(text)
		? text.trim()
		: text
				.normalize('NFKC')
				.replace(/\p{Cf}/gu, '')
				.replace(/[^\P{Nd}0-9]/gu, asciiDigit)
				.trim();

/** Unicode has the digits of a script in a row: 0 is as far before a digit as its value says. */
function asciiDigit(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	let before = 0;
	while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
	return String(before % 10);
}

/** From the second time on with its number: `Comment`, then `Comment (2)`. */
const numbered = (name: string, count: number) => (count === 1 ? name : `${name} (${count})`);

/** The first numbered form, from this number on, that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean, from = 1): string {
	let count = from;
	while (isTaken(numbered(name, count))) count += 1;
	return numbered(name, count);
}

/** As a message quotes it, shortened. */
export function shown(value: unknown): string {
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return (text.trim() === '' ? JSON.stringify(value) : text).slice(0, 50);
}

const LONGEST_LIST = 10;

/** As one phrase: `1, 2 and 3`. Of more than ten, the first ones. */
export function inWords(list: ReadonlyArray<string | number>): string {
	const named = list.slice(0, LONGEST_LIST);
	const more = list.length - named.length;
	const last = more > 0 ? `${more} more` : named.pop();
	return named.length > 0 ? `${named.join(', ')} and ${last}` : String(last ?? '');
}
