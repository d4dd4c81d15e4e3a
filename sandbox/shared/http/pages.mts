import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// This folder also contains the pages of the service and the mailbox.
const sandbox = join(import.meta.dirname, '..', '..');
const eta = new Eta({ views: sandbox, autoEscape: true, cache: true });
const own = join(import.meta.dirname, 'pages');
const style = readFileSync(join(own, 'style.css'), 'utf8');
const script = readFileSync(join(own, 'live.js'), 'utf8');

/** The headers of every page with untrusted content. */
export const htmlHeaders = (policy: string[], referrer: string) => ({
	'cache-control': 'no-store',
	'x-content-type-options': 'nosniff',
	'content-security-policy': policy.join('; '),
	'referrer-policy': referrer,
	'content-type': 'text/html; charset=utf-8',
});

/** The values for a page's template. */
export type Data = Readonly<Record<string, unknown>>;

/** Sends a page by its path in `sandbox/`, escaped, with a policy against external resources. */
export async function sendPage(reply: FastifyReply, status: number, page: string, data: Data) {
	const nonce = randomBytes(16).toString('base64');
	const policy = [
		"default-src 'none'",
		`style-src 'nonce-${nonce}'`,
		`script-src 'nonce-${nonce}'`,
		"connect-src 'self'",
		'img-src data:',
		"frame-src 'self'",
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	];
	// Browsers send a form's Origin only if the referrer policy allows it.
	const headers = htmlHeaders(policy, 'same-origin');
	const html = eta.render(`./${page}`, { ...data, nonce, script, style });
	return await reply.code(status).headers(headers).send(html);
}
