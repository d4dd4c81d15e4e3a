import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'pages');
const eta = new Eta({ views: folder, autoEscape: true, cache: true });
const style = readFileSync(join(folder, 'style.css'), 'utf8');

/** Answers a page of the folder `pages`, escaped, under a policy that loads nothing from elsewhere. */
export async function sendPage(
	reply: FastifyReply,
	status: number,
	template: string,
	data: Readonly<Record<string, unknown>>,
): Promise<FastifyReply> {
	const nonce = randomBytes(16).toString('base64');
	return await reply
		.code(status)
		.headers({
			'content-security-policy': policy(nonce),
			'cache-control': 'no-store',
			// Browsers send the Origin of a form only under a policy that has not switched it off.
			'referrer-policy': 'same-origin',
			'x-content-type-options': 'nosniff',
		})
		.type('text/html; charset=utf-8')
		.send(eta.render(`./${template}`, { ...data, nonce, style }));
}

function policy(nonce: string): string {
	return [
		"default-src 'none'",
		`style-src 'nonce-${nonce}'`,
		`script-src 'nonce-${nonce}'`,
		"connect-src 'self'",
		'img-src data:',
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	].join('; ');
}
