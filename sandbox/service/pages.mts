import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'pages');
const eta = new Eta({ views: folder, autoEscape: true, cache: true });
const style = readFileSync(join(folder, 'style.css'), 'utf8');

/** What every response with content of others has. */
export const untrusted = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

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
		.headers(pageHeaders(nonce))
		.type('text/html; charset=utf-8')
		.send(eta.render(`./${template}`, { ...data, nonce, style }));
}

/** The headers of a page that loads nothing from elsewhere; `more` directives allow more. */
export function pageHeaders(nonce: string, ...more: string[]): Record<string, string> {
	const policy = [
		"default-src 'none'",
		`style-src 'nonce-${nonce}'`,
		`script-src 'nonce-${nonce}'`,
		"connect-src 'self'",
		'img-src data:',
		...more,
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	];
	return {
		...untrusted,
		'content-security-policy': policy.join('; '),
		// Browsers send the Origin of a form only under a policy that has not switched it off.
		'referrer-policy': 'same-origin',
	};
}
