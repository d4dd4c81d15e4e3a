import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { join } from 'node:path';

// This folder also contains the pages of the service and the mailbox.
const sandbox = join(import.meta.dirname, '..', '..');
const eta = new Eta({ views: sandbox, autoEscape: true, cache: true });

/** Nothing from elsewhere, no inline script or style, and in nobody's frame. */
const ownPages = [
	"default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'",
	"img-src data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
].join('; ');

/** Sends HTML with untrusted content under a Content-Security-Policy. */
export const sendHtml = (reply: FastifyReply, html: string, policy = ownPages) =>
	reply
		.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
		.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
		.type('text/html; charset=utf-8')
		.send(html);

/** Sends a page by its path in `sandbox/`; all values in it are escaped. */
export const sendPage = (reply: FastifyReply, status: number, page: string, values: object) =>
	sendHtml(reply.code(status), eta.render(`./${page}`, values));
