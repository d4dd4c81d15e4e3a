import { startOwnServer } from './server.mts';

export type RunningMailbox = Awaited<ReturnType<typeof startMailbox>>;

/** A mail as the mailbox tells it. */
export interface ReceivedMail {
	from: string;
	/** The addresses it was delivered to. */
	to: string[];
	subject: string;
	/** Empty when the mail has no such part. */
	text: string;
	html: string;
	/** The http and https addresses in text and html, each once. */
	links: string[];
}

/** Starts the mailbox: its pages and its JSON at an address, its SMTP on a port. */
export async function startMailbox(options: { port: number; smtpPort: number; logFile: string }) {
	const { smtpPort } = options;
	const args = ['--smtp-port', String(smtpPort)];
	const own = { ...options, args };
	const server = await startOwnServer("The sandbox's mailbox", 'mailbox/main.mts', own);
	return Object.assign(server, { smtpPort });
}

/** The mails in a mailbox, newest first; only those to one address when it is given. */
export async function readMails(url: string, to?: string): Promise<ReceivedMail[]> {
	const query = to === undefined ? '' : `?${new URLSearchParams({ to }).toString()}`;
	const response = await fetch(`${url}/api/mails${query}`, { signal: AbortSignal.timeout(10_000) });
	return (await response.json()) as ReceivedMail[];
}
