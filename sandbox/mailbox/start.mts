import type { FastifyReply } from 'fastify';
import { sendHtml, sendPage } from '../shared/http/pages.mts';
import { buildServer, listen } from '../shared/http/server.mts';
import { textWithLinks } from './links.mts';
import { startSmtp, type Mail } from './smtp.mts';

type ById = { Params: { id: string } };

/** Starts the mailbox in this process, at any free ports by default: its pages, and SMTP. */
export async function startMailbox({ port = 0, smtp = 0 } = {}) {
	/** Newest first. */
	const mails: Mail[] = [];
	const server = await startSmtp(smtp, (mail) => mails.unshift(mail));
	const find = (id: string) => mails.find((mail) => mail.id === id);

	const app = buildServer();
	app.addHook('onClose', server.close);
	const missing = (reply: FastifyReply) => reply.code(404).send('There is no such email.');
	app.setNotFoundHandler((_call, reply) => missing(reply));
	app.get('/', (_call, reply) => {
		const newest = mails.map(shown);
		return sendPage(reply, 200, 'mailbox/pages/list', { smtpPort: server.port, mails: newest });
	});
	app.get<ById>('/mails/:id', ({ params }, reply) => {
		const mail = find(params.id);
		if (mail === undefined) return missing(reply);
		const values = { ...shown(mail), textWithLinks: textWithLinks(mail.text) };
		return sendPage(reply, 200, 'mailbox/pages/mail', values);
	});
	app.get<ById>('/mails/:id/html', ({ params }, reply) =>
		sendHtml(reply, `${mailHead}${find(params.id)?.html ?? ''}`, mailPolicy),
	);
	return {
		...(await listen(app, port)),
		smtpPort: server.port,
		/** What has arrived, newest first; with an address, only what was sent to it. */
		mailsTo: (address?: string) =>
			mails.filter(({ to }) => address === undefined || to.includes(address)),
	};
}

/** A mail as the pages show it: by its subject or, without one, its first line, and in local time. */
const shown = (mail: Mail) => ({
	...mail,
	heading: mail.subject.trim() || mail.text.trim().split('\n', 1)[0] || 'No subject',
	receivedAt: new Date(mail.receivedAt).toLocaleString('en-GB'),
});

/** Links open in a new tab; the mail's own style overrides this one. */
const mailHead =
	'<!doctype html><base target="_blank"><style>body { font: 16px/1.5 system-ui }</style>';

/** Lets a mail's HTML show itself in the mailbox's frame, without scripts, forms and images. */
const mailPolicy =
	"sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
