import { LinkifyIt } from 'linkify-it';

/** Characters of the longest address; nobody follows a longer one. */
const longest = 10_000;
/** Where an address may be; where in there it ends is for linkify-it to say. */
const candidate = /https?:\/\/[^\s<>"'`\\]+/gi;
const linkify = new LinkifyIt({ fuzzyEmail: false, urlAuth: true });
/** Ends a sentence, or an emphasis in Markdown, rather than an address. */
const punctuation = '.,;:!?*_~';
const entity = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi;
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A part of a text; with `href` where the part is a link. */
type Piece = { text: string; href?: string };

// Counted down by hand: a regular expression takes quadratic time on a mail made for that.
function withoutPunctuation(found: string): string {
	let end = found.length;
	while (punctuation.includes(found.charAt(end - 1))) end -= 1;
	return found.slice(0, end);
}

/** The address that a stretch of text begins with. */
function addressIn(stretch: string): string | undefined {
	// Cut before anything looks at it, which bounds the work; one more tells that it is too long.
	const found = linkify.matchAtStart(stretch.slice(0, longest + 1))?.raw;
	if (found === undefined || found.length > longest) return undefined;
	const href = withoutPunctuation(found);
	return URL.canParse(href) ? href : undefined;
}

/** The text in order, with its http and https addresses told apart. */
export function* pieces(text: string): Generator<Piece> {
	let end = 0;
	for (const { 0: stretch, index } of text.matchAll(candidate)) {
		const href = addressIn(stretch);
		if (href === undefined) continue;
		if (index > end) yield { text: text.slice(end, index) };
		yield { text: href, href };
		end = index + href.length;
	}
	if (end < text.length) yield { text: text.slice(end) };
}

function decode(reference: string): string {
	const name = reference.slice(1, -1).toLowerCase();
	if (!name.startsWith('#')) return named[name] ?? reference;
	const code = name.startsWith('#x') ? parseInt(name.slice(2), 16) : Number(name.slice(1));
	return code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference;
}

/** The http and https addresses of a mail's text and html, each once, in order. */
export function linksIn(text: string, html: string): string[] {
	const all = [text, html.replace(entity, decode)].flatMap((part) => [...pieces(part)]);
	return [...new Set(all.map(({ href }) => href).filter((href) => href !== undefined))];
}
