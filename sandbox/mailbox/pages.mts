import type { FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as service from '../service/pages.mts';

const style = readFileSync(join(import.meta.dirname, 'pages', 'mailbox.css'), 'utf8');
const own = { style, directives: ["frame-src 'self'"] };

// How a mail without a style of its own looks; whatever it brings counts more.
const plainMail = 'body { font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }';

/** Sends a page of the folder `pages`, as the service sends its own. */
export async function sendPage(
	reply: FastifyReply,
	status: number,
	template: string,
	data: Readonly<Record<string, unknown>>,
): Promise<FastifyReply> {
	return await service.sendPage(reply, status, `mailbox/pages/${template}`, data, own);
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
			...service.untrusted,
			'content-security-policy': policy.join('; '),
			'referrer-policy': 'no-referrer',
		})
		.type('text/html; charset=utf-8')
		.send(`<!doctype html><base target="_blank"><style>${plainMail}</style>${html}`);
}
