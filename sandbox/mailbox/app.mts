import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendHtml, sendPage } from '../shared/http/pages.mts';
import { buildServer } from '../shared/http/server.mts';
import { textWithLinks } from './links.mts';
import type { Mail, Mails } from './mails.mts';

type ById = { Params: { id: string } };
type ByReceiver = { Querystring: { to?: string } };

const mailFilter = { querystring: { type: 'object', properties: { to: { type: 'string' } } } };

/** The mailbox's pages and JSON, for the mails that the SMTP server on `smtpPort` receives. */
export function buildApp(mails: Mails, smtpPort: number): FastifyInstance {
	const app = buildServer();
	const missing = (reply: FastifyReply) => reply.code(404).send('There is no such email.');
	app.setNotFoundHandler((_call, reply) => missing(reply));

	app.get('/', (_call, reply) => {
		const newest = mails.newest().map((mail) => ({ ...mail, heading: headingOf(mail) }));
		return sendPage(reply, 200, 'mailbox/pages/list', { smtpPort, mails: newest });
	});
	app.get<ById>('/mails/:id', ({ params }, reply) => {
		const mail = mails.find(params.id);
		if (mail === undefined) return missing(reply);
		const shown = { ...mail, heading: headingOf(mail), textWithLinks: textWithLinks(mail.text) };
		return sendPage(reply, 200, 'mailbox/pages/mail', shown);
	});
	app.get<ById>('/mails/:id/html', ({ params }, reply) => {
		const html = mails.find(params.id)?.html ?? '';
		if (html === '') return missing(reply);
		return sendHtml(reply, `${mailHead}${html}`, mailPolicy);
	});

	app.get<ByReceiver>('/api/mails', { schema: mailFilter }, ({ query }) => {
		const to = query.to?.toLowerCase();
		const isMeant = (address: string) => to === undefined || address.toLowerCase() === to;
		return mails.newest().filter((mail) => mail.to.some(isMeant));
	});
	return app;
}

/** What the pages call a mail: its subject or, without one, its first line. */
function headingOf({ subject, text }: Mail): string {
	const [line = ''] = text.trim().split('\n', 1);
	return (subject.trim() || line || 'No subject').slice(0, 200);
}

/** Links open in a new tab; the mail's own style overrides this one. */
const mailHead =
	'<!doctype html><base target="_blank"><style>body { font: 16px/1.5 system-ui }</style>';

/** Lets a mail's HTML show itself in the mailbox's frame, without scripts, forms and images. */
const mailPolicy =
	"sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
