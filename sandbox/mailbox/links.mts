import linkifyHtml from 'linkify-html';
import linkifyString from 'linkify-string';
import type { Opts } from 'linkifyjs';
import type { NewMail } from './mails.mts';

const isWeb = (address: string) => /^https?:\/\//i.test(address);
const options: Opts = {
	...{ target: '_blank', rel: 'noopener noreferrer' },
	validate: { url: isWeb, email: false },
	ignoreTags: ['script', 'style', 'textarea', 'title'],
};

/** A mail's text as HTML in which its URLs are links. */
export const textWithLinks = (text: string) => linkifyString(text, options);

/** A mail's HTML in which the URLs in its text are links, too, as mail programs show them. */
export const htmlWithLinks = (html: string) => linkifyHtml(html, options);

/** What is a link in the mail when it is shown. */
export function linksIn({ text, html }: Pick<NewMail, 'text' | 'html'>): string[] {
	const shown = textWithLinks(text) + htmlWithLinks(html);
	const found = [...shown.matchAll(/\shref="([^"]*)"/g)].map(([, href = '']) =>
		href.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
	);
	return [...new Set(found.filter(isWeb))];
}
