import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Address, type Attachment } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { linksIn } from './links.mts';
import type { Mails, NewMail } from './mails.mts';

/** Accepts mail for anybody, with or without a login, on 127.0.0.1; throws if the port is busy. */
export async function startSmtp(mails: Mails, port: number) {
	const server = new SMTPServer({
		logger: false,
		// Plain text, on loopback only: a client would have to ignore an untrusted certificate.
		disabledCommands: ['STARTTLS'],
		allowInsecureAuth: true,
		authOptional: true,
		disableReverseLookup: true,
		closeTimeout: 1000,
		onAuth: ({ username }, _session, done) => done(null, { user: username ?? 'anybody' }),
		onData: (stream, { envelope }, done) => {
			const receive = async () => mails.add(await parse(await buffer(stream), envelope));
			receive().then(() => done(), done);
		},
	});
	// Clients may disconnect at any time; a busy port also emits an error on the listener.
	server.on('error', () => undefined);
	const listening = server.listen(port, '127.0.0.1');
	await once(listening, 'listening');
	return {
		port: (listening.address() as AddressInfo).port,
		close: () => new Promise<void>((resolve) => server.close(resolve)),
	};
}

async function parse(
	raw: Buffer,
	{ mailFrom, rcptTo }: SMTPServerSession['envelope'],
): Promise<NewMail> {
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

function nameOf({ name, address = '' }: Address): string {
	if (name === '') return address;
	return address === '' ? name : `${name} <${address}>`;
}

function describe({ filename, mimeType, content }: Attachment) {
	const size = typeof content === 'string' ? content.length : content.byteLength;
	return { name: filename ?? 'Without a name', type: mimeType, size };
}
