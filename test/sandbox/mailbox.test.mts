import { dial, sendMail } from '../support/mailbox.mts';
import { exchange, expectPage, useMailbox } from './client.mts';

const mailbox = useMailbox();
beforeEach(() => mailbox.empty());

const subjects = async (to?: string) => (await mailbox.mails(to)).map(({ subject }) => subject);
const lines = (...all: string[]) => all.join('\n');
const base64 = (content: string) => Buffer.from(content).toString('base64');

test('a mail has text, HTML, a decoded subject, its links and its attachments', async () => {
	const link = 'http://127.0.0.1:4010/request/abc=1';
	const html = `<p>Grüße, see ${link} or <a href="http://127.0.0.1/?a=1&amp;b=2">here</a></p>`;
	const mail = await sendMail(
		mailbox,
		lines(
			'Subject: =?UTF-8?B?WsO8cmljaCDinIUg5p2x5Lqs?=',
			'From: =?UTF-8?Q?J=C3=B6rg?= <joerg@example.com>',
			'Content-Type: multipart/mixed; boundary=b',
			...['', '--b', 'Content-Type: text/plain; charset=utf-8', '', `Please open ${link}.`],
			...['--b', 'Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64'],
			...['', base64(html), '--b', 'Content-Disposition: attachment; filename="rows.csv"'],
			...['Content-Type: text/csv', '', 'a;b', '--b--'],
		),
		['Ada@Example.com', 'hidden@example.com'],
	);
	expect(mail).toMatchObject({
		from: 'Jörg <joerg@example.com>',
		// As the server was told, blind copies included.
		to: ['Ada@Example.com', 'hidden@example.com'],
		subject: 'Zürich ✅ 東京',
		text: expect.stringContaining(`Please open ${link}.`) as unknown,
		html: expect.stringContaining(html) as unknown,
		links: [link, 'http://127.0.0.1/?a=1&b=2'],
		attachments: [{ name: 'rows.csv', type: 'text/csv' }],
	});
	await sendMail(mailbox, 'Subject: Other\n\nBody', ['ben@example.com']);
	expect(await subjects('ada@example.COM')).toEqual(['Zürich ✅ 東京']);
	expect(await subjects()).toEqual(['Other', 'Zürich ✅ 東京']);
});

describe('over SMTP', () => {
	test('it offers no encryption, and takes any login', async () => {
		const dialogue = await dial(mailbox);
		expect(await dialogue.say('EHLO again.example.com')).not.toContain('STARTTLS');
		expect(await dialogue.say(`AUTH PLAIN ${base64('\0somebody\0any')}`)).toMatch(/^235 /);
		expect(await dialogue.send('Subject: Logged in\n\nBody')).toMatch(/^250 /);
		await dialogue.breakOff();
		expect(await subjects()).toEqual(['Logged in']);
	});
});

describe('the pages', () => {
	const page = (path: string) => exchange(`${mailbox.url}${path}`);
	/** The page of a newly arrived mail, and the mail's ID. */
	async function pageOf(...all: string[]) {
		const { id } = await sendMail(mailbox, lines(...all));
		return { id, ...(await page(`/mails/${id}`)) };
	}

	test('show a text with its guest link as a link that opens in a tab of its own', async () => {
		const link = 'http://127.0.0.1:4010/request/abc?x=1&y=2';
		const { id, ...shown } = await pageOf('Subject: Hello', '', `Please fill in: ${link}.`);
		expect(shown.text).toMatch(
			/<a href="http:[^"]*abc\?x=1&(amp;)?y=2" target="_blank" rel="noopener noreferrer">/,
		);
		expectPage(await page('/'), 200, `href="/mails/${id}"`, 'to ada@example.com');
	});

	test('show hostile text as text', async () => {
		const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)></main><main>';
		const mail = await pageOf(
			`Subject: ${hostile}`,
			`From: =?utf-8?B?${base64(hostile)}?= <"x<script>"@example.com>`,
			'Content-Type: multipart/mixed; boundary=b',
			...['', '--b', '', `${hostile} http://a.example/"onmouseover="alert(1) javascript:alert(1)`],
			...['--b', 'Content-Disposition: attachment; filename="<script>.txt"'],
			...['Content-Type: text/x<script>', '', 'attached', '--b--'],
		);
		for (const shown of [await page('/'), mail]) {
			const { text } = shown;
			expect(text).toContain('&lt;script&gt;');
			expect(text).not.toContain(hostile);
			expect(text).not.toMatch(/<img|<script>|href="javascript|<a[^>]*"onmouseover/);
		}
	});

	test("show a mail's HTML in a frame only, without scripts, forms and anything from elsewhere", async () => {
		const body = '<script>alert(1)</script><p>Hello</p><img src="https://elsewhere.example/pixel">';
		const shown = await pageOf('Content-Type: text/html; charset=utf-8', '', body);
		expect(shown.text).not.toContain('alert(1)');
		const frame = /<iframe[^>]*>/.exec(shown.text)?.[0];
		expect(frame).toContain(`src="/mails/${shown.id}/html"`);
		expect(frame).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
		const framed = await page(`/mails/${shown.id}/html`);
		expectPage(framed, 200, '<base target="_blank">', '<p>Hello</p>');
		expect(framed.headers.get('content-security-policy')).toMatch(
			/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src/,
		);
		expect(framed.headers.get('referrer-policy')).toBe('no-referrer');
	});

	test('cannot be framed and load nothing from elsewhere, and what is missing says so', async () => {
		const shown = await page('/');
		const policy = shown.headers.get('content-security-policy');
		expect(policy).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
		expect(shown.headers.get('cache-control')).toBe('no-store');
		for (const path of ['/mails/none', '/mails/none/html', '/nowhere']) {
			expectPage(await page(path), 404, 'There is no such email');
		}
	});
});
