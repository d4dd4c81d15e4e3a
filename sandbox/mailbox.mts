import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A mail as its recipient sees it; all of its content is untrusted. */
export interface Mail {
	/** In local time. */
	receivedAt: string;
	/** Addresses. Blind copies are among those that it was delivered to. */
	from: string;
	to: string[];
	subject: string;
	/** Empty if the mail has no such part. */
	text: string;
	html: string;
	/** The HTTP and HTTPS URLs in `text` and `html`, in order and without duplicates. */
	links: string[];
}

/** Accepts every email over SMTP and shows it on one page, at any free ports by default. */
export async function startMailbox({ port = 0, smtp = 0 } = {}) {
	/** Newest first. */
	const mails: Mail[] = [];
	const accepting = new SMTPServer({
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
			mail.then((parsed) => mails.unshift(parsed)).then(() => done(), done);
		},
	});
	// Clients may disconnect at any time.
	accepting.on('error', () => undefined);
	const showing = createServer((_request, response) => {
		response.writeHead(200, headers).end(pageOf(mails));
	});
	const listening = [accepting.listen(smtp, '127.0.0.1'), showing.listen(port, '127.0.0.1')];
	await Promise.all(listening.map((server) => once(server, 'listening')));
	const [smtpPort = 0, pagePort] = listening.map((one) => (one.address() as AddressInfo).port);
	return {
		url: `http://127.0.0.1:${pagePort}`,
		smtpPort,
		/** What has arrived, newest first; with an address, only what was sent to it. */
		mailsTo: (address?: string) =>
			mails.filter(({ to }) => address === undefined || to.includes(address)),
		stop: async () => {
			showing.close().closeAllConnections();
			await new Promise<void>((resolve) => accepting.close(resolve));
		},
	};
}

async function parse(raw: Buffer, envelope: SMTPServerSession['envelope']): Promise<Mail> {
	const { from, subject = '', text = '', html = '' } = await PostalMime.parse(raw);
	const parts = [text, html.replaceAll('&amp;', '&')];
	return {
		receivedAt: new Date().toLocaleTimeString('en-GB'),
		from: from?.address ?? '',
		// The recipients from the SMTP envelope, which the mail's headers need not repeat.
		to: envelope.rcptTo.map(({ address }) => address),
		subject,
		text,
		html,
		links: [...new Set(parts.flatMap((part) => part.match(new RegExp(webAddress, 'gi')) ?? []))],
	};
}

/** A web address in a text or in HTML, without punctuation after it. */
const webAddress = /https?:\/\/[^\s<>"']*[^\s<>"'.,:;!?)]/;

const escape = (text: string) =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A text as HTML in which its web addresses are links. */
const withLinks = (text: string) =>
	text
		.split(new RegExp(`(${webAddress.source})`, 'i'))
		.map(escape)
		.map((part, index) => (index % 2 ? `<a href="${part}" target="_blank">${part}</a>` : part))
		.join('');

const articleOf = ({ receivedAt, from, to, subject, text, html }: Mail) => `<article>
<h2>${escape(subject || 'No subject')}</h2>
<p>To <b>${escape(to.join(', '))}</b> from ${escape(from)}, at ${receivedAt}</p>
${html ? `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="<base target=_blank>${escape(html)}"></iframe>` : `<pre>${withLinks(text)}</pre>`}
</article>`;

/** Shows new mails without a reload. */
const script = `setInterval(async () => {
	const page = await (await fetch('/')).text();
	const fresh = new DOMParser().parseFromString(page, 'text/html').querySelector('main');
	const shown = document.querySelector('main');
	if (fresh.innerHTML !== shown.innerHTML) shown.replaceWith(fresh);
}, 2000);`;

const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
article { margin: 1.5rem 0; padding: 1rem 1.5rem; border: 1px solid #8886; border-radius: .5rem }
h2 { margin: 0; font-size: 1.1rem }
p { margin: .25rem 0 1rem; opacity: .75 }
pre { margin: 0; font: inherit; white-space: pre-wrap }
iframe { width: 100%; height: 24rem; border: 0; background: #fff; color-scheme: light }`;

const headers = {
	'content-type': 'text/html; charset=utf-8',
	'cache-control': 'no-store',
	'content-security-policy': `default-src 'none'; connect-src 'self'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash('sha256', script, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

const pageOf = (mails: Mail[]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Emails</title>
<style>${style}</style>
<h1>Emails</h1>
<p>Every email that the sandbox sends ends here. None leaves this computer.</p>
<main>${mails.map(articleOf).join('\n') || '<p>No emails yet. The next one appears here by itself.</p>'}</main>
<script>${script}</script>
</html>
`;
