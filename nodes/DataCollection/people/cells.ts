import { shown, visible } from '../basics/text';
import { textOf } from '../basics/values';
import { userError } from '../n8n/errors';

/** How many characters a cell with a name, an address, a phone number or a group may have. */
export const LONGEST_CELL = 500;

/** A list of one is its entry: databases have one for what refers to another table. */
export const cellOf = (value: unknown): unknown =>
	Array.isArray(value) && value.length < 2 ? (value as unknown[])[0] : value;

/** Whether a cell has something in it. What is too long is refused later, whatever it is. */
export const isFilled = (value: unknown): boolean => {
	const text = String(cellOf(value) ?? '');
	return text.length > LONGEST_CELL || visible(text) !== '';
};

/** A text as it is seen. With `="…"`, a file tells a spreadsheet that a number is a text. */
export const displayed = (text: string): string => visible(text).replace(/^="(.*)"$/su, '$1');

/** What is in a cell in place of a text. A spreadsheet writes its errors in any language. */
const NO_TEXTS: Array<[pattern: RegExp, is: string, description: string]> = [
	[
		/^(?:#(?:\S*[!?]|\p{L}\/\p{L}+|NV|YOK|HIÁNYZIK|GETTING_DATA)|Err:\d+|Loading\.\.\.)$/iu,
		'an error of the spreadsheet',
		'Correct the cell in the spreadsheet.',
	],
	[/^=/, 'a formula', 'Let the spreadsheet give its values, not its formulas.'],
	[/\{\{/, 'an expression that n8n has not evaluated', 'Switch the field to Expression.'],
];

/** The text in a cell, as it is seen. Throws a UserError if it is no text, or too long. */
export function textOfCell(value: unknown, what: string): string {
	const text = textOf(value ?? '');
	if (text === undefined) {
		const description = 'It is an object or a list: check the column, or the expression.';
		throw userError({ message: `${what} is not text`, description });
	}
	if (text.length > LONGEST_CELL) {
		const message = `${what} is too long: it has ${text.length} characters`;
		const description = `At most ${LONGEST_CELL} can be used. Correct the cell.`;
		throw userError({ message, description });
	}
	const seen = displayed(text);
	for (const [pattern, is, description] of NO_TEXTS) {
		if (!pattern.test(seen)) continue;
		throw userError({ message: `${what} is ${is}: ${shown(seen)}`, description });
	}
	return seen;
}

/** What an expression writes for a part that is missing. "Null" is a surname. */
const GAP = /(?<!\p{L})(?:undefined|null|NULL|NaN|\[object Object\])(?!\p{L})/u;

/** Whether a part of a text is missing, such as in "Ada undefined". */
export const hasGap = (text: string): boolean => GAP.test(text);

/** What reading a file in the wrong encoding makes of an ü: \ufffd or Ã¼. */
const LOST_LETTER = /\ufffd|[ÂÃ][\u0080-\u00bf]/;

export const hasLostLetter = (text: string): boolean => LOST_LETTER.test(text);

export const QUOTES = '"\'`“”„‟‘’‚‛«»‹›';
const STARTS_WITH_QUOTE = RegExp(`^[${QUOTES}\\s]+`, 'u');
const QUOTE_OR_SEPARATOR = RegExp(`[${QUOTES}\\s;,.]`, 'u');
/** Without quotes, angle brackets, `mailto:` and `tel:` around it, and separators behind it. */
export function unwrapped(text: string): string {
	const [, inner = text] = /^<([^<>]*)>$/.exec(text) ?? [];
	const shorter = withoutQuotes(withoutScheme(inner));
	return shorter === text ? text : unwrapped(shorter);
}

/** A regular expression for the end would try each place in a long row of quotes. */
function withoutQuotes(text: string): string {
	const rest = text.replace(STARTS_WITH_QUOTE, '');
	let end = rest.length;
	while (end > 0 && QUOTE_OR_SEPARATOR.test(rest.charAt(end - 1))) end -= 1;
	return rest.slice(0, end);
}

/** What a link to an address or a phone number leads to. */
function withoutScheme(text: string): string {
	const [, address] = /^(?:mailto|tel):([^?]*)/i.exec(text) ?? [];
	if (address === undefined) return text;
	try {
		return decodeURIComponent(address);
	} catch {
		return address;
	}
}
