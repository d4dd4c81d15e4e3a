/** A web address in a text or in HTML, without punctuation after it. */
const address = /(https?:\/\/[^\s<>"']*[^\s<>"'.,:;!?)])/i;

const escape = (text: string) =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A mail's text as HTML in which its web addresses are links. */
export const textWithLinks = (text: string) =>
	text
		.split(address)
		.map(escape)
		.map((part, index) =>
			index % 2 === 0 ? part : `<a href="${part}" target="_blank" rel="noopener">${part}</a>`,
		)
		.join('');

/** The web addresses in a mail. */
export function linksIn(text: string, html: string): string[] {
	const found = [text, html.replaceAll('&amp;', '&')].flatMap((part) =>
		part.split(address).filter((_text, index) => index % 2 === 1),
	);
	return [...new Set(found)];
}
