import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The folder that also has the pages of the service and of the mailbox.
const sandbox = join(import.meta.dirname, '..', '..');
const eta = new Eta({ views: sandbox, autoEscape: true, cache: true });
const own = join(import.meta.dirname, 'pages');
const style = readFileSync(join(own, 'style.css'), 'utf8');
const script = readFileSync(join(own, 'live.js'), 'utf8');

/** What every page with content of others has. */
export const htmlHeaders = (policy: string[], referrer: string) => ({
	'cache-control': 'no-store',
	'x-content-type-options': 'nosniff',
	'content-security-policy': policy.join('; '),
	'referrer-policy': referrer,
	'content-type': 'text/html; charset=utf-8',
});

/** What a page is filled with. */
export type Data = Readonly<Record<string, unknown>>;

/** Sends a page by its path in `sandbox/`, escaped, under a policy that loads nothing from elsewhere. */
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
	// Browsers send the Origin of a form only under a policy that has not switched it off.
	const headers = htmlHeaders(policy, 'same-origin');
	const html = eta.render(`./${page}`, { ...data, nonce, script, style });
	return await reply.code(status).headers(headers).send(html);
}
