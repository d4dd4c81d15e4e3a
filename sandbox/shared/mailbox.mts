import path from 'node:path';
import { root } from './paths.mts';
import { baseEnv, startServer, type RunningServer } from './server.mts';

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

/** Starts the mailbox on 127.0.0.1; a Failure when it does not come up in 20 s. */
export async function startMailbox(options: MailboxOptions): Promise<RunningMailbox> {
	const { port, smtpPort, logFile } = options;
	const url = `http://127.0.0.1:${port}`;
	const main = path.join(root, 'sandbox', 'mailbox', 'main.mts');
	const server = await startServer({
		name: "The sandbox's mailbox",
		node: process.execPath,
		args: [main, '--port', String(port), '--smtp-port', String(smtpPort)],
		cwd: root,
		env: baseEnv(),
		logFile,
		isReady: async () => (await fetch(`${url}/healthz`)).ok,
		readyWithin: 20_000,
		stopWithin: 5_000,
	});
	return { ...server, url, smtpPort };
}

/** The mails in a mailbox, newest first; only those to one address when it is given. */
export async function readMails(url: string, to?: string): Promise<ReceivedMail[]> {
	const query = to === undefined ? '' : `?${new URLSearchParams({ to }).toString()}`;
	const response = await fetch(`${url}/api/mails${query}`, { signal: AbortSignal.timeout(10_000) });
	return (await response.json()) as ReceivedMail[];
}
