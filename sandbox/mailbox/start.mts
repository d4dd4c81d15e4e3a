import { listen } from '../shared/http/server.mts';
import { buildApp } from './app.mts';
import { createMails } from './mails.mts';
import { startSmtp } from './smtp.mts';

/** Starts the mailbox in this process, at any free ports by default: pages and JSON, and SMTP. */
export async function startMailbox({ port = 0, smtp = 0 } = {}) {
	const mails = createMails();
	const server = await startSmtp(mails, smtp);
	const app = buildApp(mails, server.port);
	app.addHook('onClose', server.close);
	return { ...(await listen(app, port)), smtpPort: server.port };
}
