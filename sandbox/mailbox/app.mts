import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance } from 'fastify';
import { decodableUrl } from '../shared/http/decodableUrl.mts';
import { respondAtOwnAddressesOnly } from '../shared/http/ownAddresses.mts';
import { pieces } from './links.mts';
import type { Mail, Mails } from './mails.mts';
import { sendMailHtml, sendPage } from './pages.mts';

interface ById {
	Params: { id: string };
}

interface ByReceiver {
	Querystring: { to?: string };
}

const title = 'Sandbox mailbox';
const mailFilter = { querystring: { type: 'object', properties: { to: { type: 'string' } } } };

function isTo({ to }: Mail, receiver: string): boolean {
	return to.some((address) => address.toLowerCase() === receiver.toLowerCase());
}

/** The mailbox's pages and its JSON, over mails that arrive at the SMTP server on `smtpPort`. */
export async function buildApp(mails: Mails, smtpPort: number): Promise<FastifyInstance> {
	const app = Fastify({ forceCloseConnections: true, rewriteUrl: decodableUrl });
	respondAtOwnAddressesOnly(app);
	await app.register(formbody);
	registerPages(app, mails, smtpPort);
	registerApi(app, mails);
	app.get('/healthz', () => ({ status: 'ok' }));
	app.setNotFoundHandler((_call, reply) => sendPage(reply, 404, 'missing', { title }));
	return app;
}

function registerPages(app: FastifyInstance, mails: Mails, smtpPort: number): void {
	app.get('/', (_call, reply) =>
		sendPage(reply, 200, 'list', { title, smtpPort, mails: mails.newest() }),
	);

	app.get<ById>('/mails/:id', ({ params }, reply) => {
		const mail = mails.find(params.id);
		if (mail === undefined) return sendPage(reply, 404, 'missing', { title });
		return sendPage(reply, 200, 'mail', { ...mail, pieces: pieces(mail.text) });
	});

	app.get<ById>('/mails/:id/html', ({ params }, reply) => {
		const html = mails.find(params.id)?.html ?? '';
		if (html === '') return sendPage(reply, 404, 'missing', { title });
		return sendMailHtml(reply, html);
	});

	app.post('/empty', (_call, reply) => {
		mails.clear();
		return reply.redirect('/', 303);
	});
}

/** For tests and scripts; no authentication, like everything in the sandbox. */
function registerApi(app: FastifyInstance, mails: Mails): void {
	app.get<ByReceiver>('/api/mails', { schema: mailFilter }, ({ query: { to } }) => {
		const all = mails.newest();
		return to === undefined ? all : all.filter((mail) => isTo(mail, to));
	});

	app.delete('/api/mails', () => ({ mails: mails.clear() }));
}
