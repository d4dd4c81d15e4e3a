// Usage: node sandbox/mailbox/main.mts [--port 4020] [--smtp-port 4025]
import { portGiven, serve } from '../shared/http/server.mts';
import { buildApp } from './app.mts';
import { createMails } from './mails.mts';
import { startSmtp } from './smtp.mts';

const mails = createMails();
const smtp = await startSmtp(mails, portGiven('smtp-port'));
const app = buildApp(mails, smtp.port);
app.addHook('onClose', smtp.close);
const url = await serve(app);
console.log(`The mailbox is ready at ${url}, for SMTP on 127.0.0.1:${smtp.port}`);
