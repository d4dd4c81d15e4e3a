import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The folder above, because the mailbox's pages have the same layout, style and script.
const sandbox = join(import.meta.dirname, '..');
const eta = new Eta({ views: sandbox, autoEscape: true, cache: true });
const read = (name: string) => readFileSync(join(sandbox, 'service', 'pages', name), 'utf8');
const style = read('style.css');
const script = read('console.js');

/** What every response with content of others has. */
export const untrusted = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** What some pages have beside the others: styles, and directives of the policy. */
interface More {
	style?: string;
	directives?: string[];
}

/** Sends a page by its path in `sandbox/`, escaped, under a policy that loads nothing from elsewhere. */
export async function sendPage(
	reply: FastifyReply,
	status: number,
	template: string,
	data: Readonly<Record<string, unknown>>,
	{ style: own = '', directives = [] }: More = {},
): Promise<FastifyReply> {
	const nonce = randomBytes(16).toString('base64');
	const policy = [
		"default-src 'none'",
		`style-src 'nonce-${nonce}'`,
		`script-src 'nonce-${nonce}'`,
		"connect-src 'self'",
		'img-src data:',
		...directives,
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	];
	return await reply
		.code(status)
		.headers({
			...untrusted,
			'content-security-policy': policy.join('; '),
			// Browsers send the Origin of a form only under a policy that has not switched it off.
			'referrer-policy': 'same-origin',
		})
		.type('text/html; charset=utf-8')
		.send(eta.render(`./${template}`, { ...data, nonce, script, style: style + own }));
}
