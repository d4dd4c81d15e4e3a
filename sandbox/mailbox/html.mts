import { addressIn, decode } from './links.mts';

/** A piece of HTML as it is written. `within` names the special element that it is in. */
interface Part {
	source: string;
	isText: boolean;
	within?: string;
}

/** In these, a URL is a link already, or is not shown as text. */
const special = ['a', 'script', 'style', 'textarea', 'title'];
/** A comment or a tag, also one that never ends, or the text before the next. Takes linear time. */
const token =
	/<!--[^]*?(?:-->|$)|<(?=[a-z/!?])(?<name>\/?[a-z][^\s/>]*)?(?:"[^"]*"|'[^']*'|[^"'<>])*>?|<|[^<]+/gi;
/** Where a URL may be in a text. The only entity in a URL is that of its ampersands. */
const candidate = /https?:\/\/(?:[^\s<>"'`\\&]|&amp;|&(?!#?\w{1,31};))+/gi;

function* partsOf(html: string): Generator<Part> {
	let within: string | undefined;
	for (const { 0: source, groups } of html.matchAll(token)) {
		const name = groups?.name?.toLowerCase();
		if (name === `/${within}`) within = undefined;
		yield { source, isText: source === '<' || !source.startsWith('<'), within };
		if (within === undefined && name !== undefined && special.includes(name)) within = name;
	}
}

/** A mail's HTML in which the URLs in its text are links, too, as mail programs show them. */
export function withLinks(html: string): string {
	const shown = [...partsOf(html)].map(({ source, isText, within }) =>
		isText && within === undefined ? source.replace(candidate, linked) : source,
	);
	return shown.join('');
}

/** A stretch of text whose beginning is a link if it is a URL. It contains no quotation mark. */
function linked(stretch: string): string {
	const characters = stretch.match(/&amp;|[^]/gi) ?? [];
	const { length } = addressIn(characters.map((one) => one[0]).join('')) ?? '';
	if (length === 0) return stretch;
	const url = characters.slice(0, length).join('');
	return `<a href="${url}">${url}</a>${characters.slice(length).join('')}`;
}

/** The first line of a mail's HTML, without its markup; empty if there is no text. */
export function firstLineOf(html: string): string {
	for (const { source, isText, within } of partsOf(html)) {
		const isShown = isText && (within === undefined || within === 'a');
		const line = isShown ? decode(source).trim() : '';
		if (line !== '') return line;
	}
	return '';
}
