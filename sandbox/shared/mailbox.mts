import { startOwnServer, type RunningServer } from './server.mts';

export interface MailboxOptions {
	/** Port of the pages and the JSON. */
	port: number;
	smtpPort: number;
	logFile: string;
}

export interface RunningMailbox extends RunningServer {
	/** Address of the pages and the JSON, without a trailing slash. */
	url: string;
	smtpPort: number;
}

/** A mail as the mailbox tells it. */
export interface ReceivedMail {
	id: string;
	/** As in the mail's header: `Name <address>` or the address alone. */
	from: string;
	/** The addresses it was delivered to. */
	to: string[];
	subject: string;
	/** ISO 8601. */
	receivedAt: string;
	/** Empty when the mail has no such part. */
	text: string;
	html: string;
	/** The http and https addresses in text and html, each once. */
	links: string[];
	attachments: Array<{ name: string; type: string; size: number }>;
}

/** Starts the mailbox on 127.0.0.1. */
export async function startMailbox(options: MailboxOptions): Promise<RunningMailbox> {
	const { port, smtpPort, logFile } = options;
	const args = ['--smtp-port', String(smtpPort)];
	const own = { name: "The sandbox's mailbox", program: 'mailbox/main.mts', args };
	return Object.assign(await startOwnServer({ ...own, port, logFile }), { smtpPort });
}

/** The mails in a mailbox, newest first; only those to one address when it is given. */
export async function readMails(url: string, to?: string): Promise<ReceivedMail[]> {
	const query = to === undefined ? '' : `?${new URLSearchParams({ to }).toString()}`;
	const response = await fetch(`${url}/api/mails${query}`, { signal: AbortSignal.timeout(10_000) });
	return (await response.json()) as ReceivedMail[];
}
