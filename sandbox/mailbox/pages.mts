import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageHeaders, untrusted } from '../service/pages.mts';

const sandbox = join(import.meta.dirname, '..');
// The folder above both, so that the mailbox has the layout of the service's console.
const eta = new Eta({ views: sandbox, autoEscape: true, cache: true });
const read = (...path: string[]) => readFileSync(join(sandbox, ...path), 'utf8');
const style = read('service', 'pages', 'style.css') + read('mailbox', 'pages', 'mailbox.css');
const script = read('service', 'pages', 'console.js');

// How a mail without a style of its own looks; whatever it brings counts more.
const plainMail = 'body { font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }';

/** Sends a page of the folder `pages`, escaped, under a policy that loads nothing from elsewhere. */
export async function sendPage(
	reply: FastifyReply,
	status: number,
	template: string,
	data: Readonly<Record<string, unknown>>,
): Promise<FastifyReply> {
	const nonce = randomBytes(16).toString('base64');
	return await reply
		.code(status)
		.headers(pageHeaders(nonce, "frame-src 'self'"))
		.type('text/html; charset=utf-8')
		.send(eta.render(`./mailbox/pages/${template}`, { ...data, nonce, style, script }));
}

/**
 * Sends a mail's own HTML, to be shown in a frame: without scripts, forms and anything from
 * elsewhere, cut off from the mailbox's pages, and with links that open in a tab of their own.
 */
export async function sendMailHtml(reply: FastifyReply, html: string): Promise<FastifyReply> {
	const policy = [
		'sandbox allow-popups allow-popups-to-escape-sandbox',
		"default-src 'none'",
		"style-src 'unsafe-inline'",
		'img-src data:',
		"form-action 'none'",
		"base-uri 'none'",
		"frame-ancestors 'self'",
	];
	return await reply
		.headers({
			...untrusted,
			'content-security-policy': policy.join('; '),
			'referrer-policy': 'no-referrer',
		})
		.type('text/html; charset=utf-8')
		.send(`<!doctype html><base target="_blank"><style>${plainMail}</style>${html}`);
}
