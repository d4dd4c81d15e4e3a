import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readMails } from '../../sandbox/mailbox/client.mts';
import { startProgram } from './program.mts';

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

const mailboxMain = join(import.meta.dirname, '../../sandbox/mailbox/main.mts');

/** Starts the mailbox on free ports; it ends with this process. */
export async function startMailbox() {
	const ready = /(http:\S+), for SMTP on 127\.0\.0\.1:(\d+)$/;
	const { found, stop } = await startProgram(mailboxMain, [], ready);
	const [, url = '', smtpPort] = found;
	return {
		url,
		smtpPort: Number(smtpPort),
		/** Newest first. */
		mails: (to?: string) => readMails(url, to),
		empty: () => fetch(`${url}/api/mails`, { method: 'DELETE' }),
		stop,
	};
}

/** The message with CRLF, leading dots doubled, and the ending that SMTP requires. */
function asData(message: string | Buffer): Buffer {
	// latin1 keeps every byte as it is.
	const text = Buffer.from(message).toString('latin1');
	const lines = text.split(/\r?\n/).map((line) => (line.startsWith('.') ? `.${line}` : line));
	return Buffer.from(`${lines.join('\r\n')}\r\n.\r\n`, 'latin1');
}

/** Connects and sends EHLO. */
export async function dial({ smtpPort }: Pick<Mailbox, 'smtpPort'>) {
	const socket = connect(smtpPort, '127.0.0.1');
	const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
	// A refused mail may end in a reset connection; `closed` covers that too.
	socket.on('error', () => undefined);
	const lines = createInterface(socket)[Symbol.asyncIterator]();
	/** All lines of the next reply. */
	const reply = async () => {
		const all: string[] = [];
		do {
			const next = await lines.next();
			if (next.done) return all.join('\n');
			all.push(next.value);
		} while (all.at(-1)?.charAt(3) === '-');
		return all.join('\n');
	};
	/** Sends a command; resolves to all lines of the reply. */
	const say = (command: string) => {
		socket.write(`${command}\r\n`);
		return reply();
	};
	await reply();
	await say('EHLO tests.example.com');
	return {
		say,
		reply,
		/** Sends MAIL, RCPT and DATA with this message; returns the last reply. */
		async send(message: string | Buffer, to = ['ada@example.com']) {
			await say('MAIL FROM:<sender@example.com>');
			for (const address of to) await say(`RCPT TO:<${address}>`);
			await say('DATA');
			socket.write(asData(message));
			return await reply();
		},
		/** Breaks the connection off; resolves when it is closed. */
		async breakOff() {
			socket.destroy();
			await closed;
		},
	};
}

/** Sends one mail in a new dialogue and returns it as the mailbox shows it. */
export async function sendMail(mailbox: Mailbox, message: string | Buffer, to?: string[]) {
	const dialogue = await dial(mailbox);
	expect(await dialogue.send(message, to)).toMatch(/^250 /);
	expect(await dialogue.say('QUIT')).toMatch(/^221 /);
	await dialogue.breakOff();
	const [newest] = await mailbox.mails();
	if (newest === undefined) throw new Error('The mailbox has no mail.');
	return newest;
}
