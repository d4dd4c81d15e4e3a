import { endWhenAsked, listening, readOptions, wholeNumber } from '../shared/http/process.mts';
import { buildApp } from './app.mts';
import { createMails } from './mails.mts';
import { startSmtp } from './smtp.mts';

const USAGE = 'node sandbox/mailbox/main.mts [--port 4020] [--smtp-port 4025] [--parent]';
const host = '127.0.0.1';

const values = readOptions(USAGE, {
	port: { type: 'string', default: '4020' },
	'smtp-port': { type: 'string', default: '4025' },
	parent: { type: 'boolean', default: false },
});
const port = wholeNumber('--port', values.port);
const smtpPort = wholeNumber('--smtp-port', values['smtp-port']);
const mails = createMails();
const smtp = await listening('--smtp-port', smtpPort, startSmtp(mails, smtpPort));
const app = await buildApp(mails, smtp.port);
// Before the ready line, so that whoever reads that line can stop the mailbox at once.
endWhenAsked(() => Promise.allSettled([app.close(), smtp.close()]), values.parent);
const address = await listening('--port', port, app.listen({ port, host }));
console.log(`The mailbox is ready at ${address}, for SMTP on ${host}:${smtp.port}`);
