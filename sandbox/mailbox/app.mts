import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { htmlHeaders, sendPage } from '../shared/http/pages.mts';
import { buildServer } from '../shared/http/server.mts';
import { htmlWithLinks, textWithLinks } from './links.mts';
import type { Mail, Mails } from './mails.mts';

type ById = { Params: { id: string } };
type ByReceiver = { Querystring: { to?: string } };

const title = 'Sandbox mailbox';
const mailFilter = { querystring: { type: 'object', properties: { to: { type: 'string' } } } };

/** The mailbox's pages and JSON, for the mails that the SMTP server on `smtpPort` receives. */
export async function buildApp(mails: Mails, smtpPort: number): Promise<FastifyInstance> {
	const app = buildServer();
	await app.register(formbody);
	app.get('/healthz', () => ({ status: 'ok' }));

	const missing = (reply: FastifyReply) => sendPage(reply, 404, 'mailbox/pages/missing', { title });
	app.setNotFoundHandler((_call, reply) => missing(reply));

	app.get('/', (_call, reply) =>
		sendPage(reply, 200, 'mailbox/pages/list', {
			...{ title, smtpPort },
			mails: mails.newest().map((mail) => ({ ...mail, heading: headingOf(mail) })),
		}),
	);
	app.get<ById>('/mails/:id', ({ params }, reply) => {
		const mail = mails.find(params.id);
		if (mail === undefined) return missing(reply);
		const shown = { ...mail, heading: headingOf(mail), textWithLinks: textWithLinks(mail.text) };
		return sendPage(reply, 200, 'mailbox/pages/mail', shown);
	});
	app.get<ById>('/mails/:id/html', ({ params }, reply) => {
		const html = mails.find(params.id)?.html ?? '';
		return html === '' ? missing(reply) : sendMailHtml(reply, html);
	});
	app.post('/empty', (_call, reply) => {
		mails.clear();
		return reply.redirect('/', 303);
	});

	// For tests and scripts; no authentication, like everything in the sandbox.
	app.get<ByReceiver>('/api/mails', { schema: mailFilter }, ({ query }) => {
		const to = query.to?.toLowerCase();
		const isMeant = (address: string) => to === undefined || address.toLowerCase() === to;
		return mails.newest().filter((mail) => mail.to.some(isMeant));
	});
	app.delete('/api/mails', () => ({ mails: mails.clear() }));
	return app;
}

/** What the pages call a mail: its subject or, without one, its first line. */
function headingOf({ subject, text }: Mail): string {
	const [line = ''] = text.trim().split('\n', 1);
	return (subject.trim() || line || 'No subject').slice(0, 200);
}

// The default style of a mail; the mail's own style overrides it.
const plainMail = 'body { font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }';

/**
 * Sends a mail's HTML for display in a frame: without scripts, forms or external resources,
 * isolated from the mailbox's pages, and with links that open in a new tab, as do URLs in its text.
 */
function sendMailHtml(reply: FastifyReply, html: string): FastifyReply {
	const policy = [
		'sandbox allow-popups allow-popups-to-escape-sandbox',
		"default-src 'none'",
		"style-src 'unsafe-inline'",
		'img-src data:',
		"form-action 'none'",
		"base-uri 'none'",
		"frame-ancestors 'self'",
	];
	return reply
		.headers(htmlHeaders(policy, 'no-referrer'))
		.send(`<!doctype html><base target="_blank"><style>${plainMail}</style>${htmlWithLinks(html)}`);
}
