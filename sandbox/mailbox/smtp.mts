import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Address, type Attachment } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { linksIn } from './links.mts';
import type { Mails, NewMail } from './mails.mts';

const MAXIMUM_BYTES = 5 * 1024 * 1024;
/** 5 MB of ordinary lines are fewer; the parser takes minutes for 5 MB of empty lines. */
const MAXIMUM_LINES = 100_000;
const HOST = '127.0.0.1';

/** Accepts mail for anybody, with or without a login, on 127.0.0.1; throws if the port is busy. */
export async function startSmtp(mails: Mails, port: number) {
	const server = new SMTPServer({
		name: 'sandbox-mailbox',
		logger: false,
		// Plain text, on loopback only: a client would have to ignore an untrusted certificate.
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
			receive(mails, stream, session.envelope).then(() => done(), done);
		},
	});
	// Clients may disconnect at any time; a busy port also emits an error on the listener.
	server.on('error', () => undefined);
	const listening = server.listen(port, HOST);
	await once(listening, 'listening');
	return {
		port: (listening.address() as AddressInfo).port,
		close: () => new Promise<void>((resolve) => server.close(resolve)),
	};
}

type Envelope = SMTPServerSession['envelope'];

async function receive(mails: Mails, stream: SMTPServerDataStream, envelope: Envelope) {
	const raw = await readBytes(stream);
	if (raw === undefined) return;
	const mail = await parse(raw, envelope).catch(() => {
		throw Object.assign(new Error('The mailbox cannot read this mail'), { responseCode: 554 });
	});
	mails.add(mail);
}

/** The mail's bytes; undefined if there are too many, which are read and discarded. */
async function readBytes(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) {
		if (stream.sizeExceeded) chunks.length = 0;
		else chunks.push(chunk as Buffer);
	}
	return stream.sizeExceeded ? undefined : Buffer.concat(chunks);
}

/** Throws if the mail's structure is unreasonable. */
async function parse(raw: Buffer, { mailFrom, rcptTo }: Envelope): Promise<NewMail> {
	if (hasTooManyLines(raw)) throw new Error(`More than ${MAXIMUM_LINES} lines`);
	const { from, subject = '', text = '', html = '', attachments } = await PostalMime.parse(raw);
	const sender = mailFrom === false ? '' : mailFrom.address;
	return {
		from: from === undefined ? sender : nameOf(from),
		// The recipients from the SMTP envelope, which the mail's headers need not repeat.
		to: rcptTo.map(({ address }) => address),
		subject,
		text,
		html,
		links: linksIn({ text, html }),
		attachments: attachments.map(describe),
	};
}

function hasTooManyLines(raw: Buffer): boolean {
	let lines = 0;
	for (let at = -1; lines <= MAXIMUM_LINES; lines += 1) {
		at = raw.indexOf('\n', at + 1);
		if (at === -1) return false;
	}
	return true;
}

function nameOf({ name, address = '' }: Address): string {
	if (name === '') return address;
	return address === '' ? name : `${name} <${address}>`;
}

function describe({ filename, mimeType, content }: Attachment) {
	const size = typeof content === 'string' ? content.length : content.byteLength;
	return { name: filename ?? 'Without a name', type: mimeType, size };
}
