import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Mails } from './mails.mts';
import { parseMail } from './parse.mts';

const MAXIMUM_BYTES = 5 * 1024 * 1024;
const HOST = '127.0.0.1';

export interface RunningSmtp {
	port: number;
	close(): Promise<void>;
}

/** The mail's bytes; undefined when there are too many, which are read and thrown away. */
async function readBytes(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) {
		if (stream.sizeExceeded) chunks.length = 0;
		else chunks.push(chunk as Buffer);
	}
	return stream.sizeExceeded ? undefined : Buffer.concat(chunks);
}

function refusal(message: string): Error {
	return Object.assign(new Error(message), { responseCode: 554 });
}

async function receive(
	mails: Mails,
	stream: SMTPServerDataStream,
	{ envelope: { mailFrom, rcptTo } }: SMTPServerSession,
): Promise<void> {
	const raw = await readBytes(stream);
	if (raw === undefined) return;
	const envelope = {
		from: mailFrom === false ? '' : mailFrom.address,
		to: rcptTo.map(({ address }) => address),
	};
	const mail = await parseMail(raw, envelope).catch(() => {
		throw refusal('The mailbox cannot read this mail');
	});
	mails.add(mail);
}

/** Takes mails for anybody, with any log-in or none, on 127.0.0.1; a busy port is thrown. */
export async function startSmtp(mails: Mails, port: number): Promise<RunningSmtp> {
	const server = new SMTPServer({
		name: 'sandbox-mailbox',
		logger: false,
		// Plain text on loopback only: a certificate nobody trusts would have to be switched off.
		disabledCommands: ['STARTTLS'],
		allowInsecureAuth: true,
		authOptional: true,
		disableReverseLookup: true,
		size: MAXIMUM_BYTES,
		rejectOversized: true,
		maxClients: 100,
		closeTimeout: 1000,
		onAuth: ({ username }, _session, done) => done(null, { user: username ?? 'anybody' }),
		onData: (stream, session, done) => {
			receive(mails, stream, session).then(() => done(), done);
		},
	});
	// A client that breaks off is its own affair; a busy port is told by the listener as well.
	server.on('error', () => undefined);
	const listening = server.listen(port, HOST);
	await once(listening, 'listening');
	return {
		port: (listening.address() as AddressInfo).port,
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}
