import { LinkifyIt } from 'linkify-it';

/** The maximum length of a URL in characters; nobody follows a longer one. */
const longest = 10_000;
/** Where a URL may be; linkify-it decides where it ends. */
const candidate = /https?:\/\/[^\s<>"'`\\]+/gi;
const linkify = new LinkifyIt({ fuzzyEmail: false, urlAuth: true });
/** At the end of a URL these belong to the sentence, or to Markdown emphasis. */
const punctuation = '.,;:!?*_~';
const entity = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi;
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A part of a text; `href` is set if the part is a link. */
type Piece = { text: string; href?: string };

// A loop, because a regular expression would take quadratic time on a malicious mail.
function withoutPunctuation(found: string): string {
	let end = found.length;
	while (punctuation.includes(found.charAt(end - 1))) end -= 1;
	return found.slice(0, end);
}

/** The URL at the beginning of a stretch of text. */
export function addressIn(stretch: string): string | undefined {
	// Cut first, to bound the work; the one extra character shows that the URL is too long.
	const found = linkify.matchAtStart(stretch.slice(0, longest + 1))?.raw;
	if (found === undefined || found.length > longest) return undefined;
	const href = withoutPunctuation(found);
	return URL.canParse(href) ? href : undefined;
}

/** The text in order, split into plain text and HTTP and HTTPS URLs. */
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

/** A text of HTML with its usual entities decoded. */
export const decode = (text: string) => text.replace(entity, decodeOne);

function decodeOne(reference: string): string {
	const name = reference.slice(1, -1).toLowerCase();
	if (!name.startsWith('#')) return named[name] ?? reference;
	const code = name.startsWith('#x') ? parseInt(name.slice(2), 16) : Number(name.slice(1));
	return code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference;
}

/** The HTTP and HTTPS URLs in a mail's text and HTML, in order and without duplicates. */
export function linksIn(text: string, html: string): string[] {
	const all = [text, decode(html)].flatMap((part) => [...pieces(part)]);
	return [...new Set(all.map(({ href }) => href).filter((href) => href !== undefined))];
}
