import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { linksIn } from './links.mts';

/** A mail as its recipient sees it; all of its content is untrusted. */
export interface Mail {
	id: string;
	/** ISO 8601. */
	receivedAt: string;
	/** An address. */
	from: string;
	/** The addresses it was delivered to, blind copies included. */
	to: string[];
	subject: string;
	/** Empty if the mail has no such part. */
	text: string;
	html: string;
	/** The HTTP and HTTPS URLs in `text` and `html`, in order and without duplicates. */
	links: string[];
	/** Names of files. */
	attachments: string[];
}

/** Accepts mail for anybody, with or without a login, on 127.0.0.1; throws if the port is busy. */
export async function startSmtp(port: number, receive: (mail: Mail) => void) {
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
			const mail = buffer(stream).then((raw) => parse(raw, envelope));
			mail.then(receive).then(() => done(), done);
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

async function parse(raw: Buffer, envelope: SMTPServerSession['envelope']): Promise<Mail> {
	const { from, subject = '', text = '', html = '', attachments } = await PostalMime.parse(raw);
	return {
		id: randomUUID(),
		receivedAt: new Date().toISOString(),
		from: from?.address ?? '',
		// The recipients from the SMTP envelope, which the mail's headers need not repeat.
		to: envelope.rcptTo.map(({ address }) => address),
		subject,
		text,
		html,
		links: linksIn(text, html),
		attachments: attachments.map(({ filename }) => filename ?? 'Without a name'),
	};
}
