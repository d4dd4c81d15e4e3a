import { startOwnServer } from './server.mts';

/** Starts the mailbox: pages and JSON on one port, SMTP on another. */
export async function startMailbox(options: { port: number; smtpPort: number; logFile: string }) {
	const { smtpPort } = options;
	const own = { ...options, args: ['--smtp-port', String(smtpPort)] };
	const server = await startOwnServer("The sandbox's mailbox", 'mailbox/main.mts', own);
	return Object.assign(server, { smtpPort });
}
