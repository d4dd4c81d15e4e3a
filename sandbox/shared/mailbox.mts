import { startOwnServer } from './server.mts';

/** Starts the mailbox: its pages and its JSON at an address, its SMTP on a port. */
export async function startMailbox(options: { port: number; smtpPort: number; logFile: string }) {
	const { smtpPort } = options;
	const own = { ...options, args: ['--smtp-port', String(smtpPort)] };
	const server = await startOwnServer("The sandbox's mailbox", 'mailbox/main.mts', own);
	return Object.assign(server, { smtpPort });
}
