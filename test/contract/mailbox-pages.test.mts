import { dial, sendMail, startMailbox, type Mailbox } from '../engine/support/mailbox.mts';
import { exchange, postForm } from './client.mts';

let mailbox: Mailbox;
beforeAll(async () => {
	mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());
beforeEach(() => mailbox.empty());

const page = (path: string) => exchange(`${mailbox.url}${path}`);
const html = (subject: string, body: string) =>
	`Subject: ${subject}\nContent-Type: text/html; charset=utf-8\n\n${body}`;

test('an empty mailbox says what to do', async () => {
	const { status, text } = await page('/');
	expect(status).toBe(200);
	expect(text).toContain('No emails yet');
	expect(text).toContain(`smtp://127.0.0.1:${mailbox.smtpPort}`);
	expect(text).not.toContain('Empty the mailbox');
});

test('the list has the newest first, with sender, receivers, subject and time', async () => {
	await sendMail(mailbox, 'Subject: First\nFrom: Ann <ann@example.com>\n\nBody');
	const second = await sendMail(mailbox, 'Subject: \n\nBody', [
		'a@x.org',
		'b@x.org',
		'c@x.org',
		'd@x.org',
		'e@x.org',
	]);
	const { text } = await page('/');
	expect(text.indexOf('No subject')).toBeGreaterThan(0);
	expect(text.indexOf('No subject')).toBeLessThan(text.indexOf('First'));
	expect(text).toContain('from Ann &lt;ann@example.com&gt; to ada@example.com');
	expect(text).toContain('from sender@example.com to a@x.org, b@x.org, c@x.org and 2 more');
	expect(text).toContain(`datetime="${second.receivedAt}"`);
	expect(text).toContain(`href="/mails/${second.id}"`);
	expect(text).toContain('Empty the mailbox');
});

test('a text has its guest link as a link that opens in a tab of its own', async () => {
	const link = 'http://127.0.0.1:4010/request/abc?x=1&y=2';
	const { id } = await sendMail(mailbox, `Subject: Hello\n\nPlease fill in:\n  ${link}.\n`);
	const { text } = await page(`/mails/${id}`);
	const escaped = link.replace('&', '&amp;');
	const anchor = `<a href="${escaped}" target="_blank" rel="noopener noreferrer">${escaped}</a>.`;
	expect(text).toContain(`Please fill in:\n  ${anchor}\n`);
	expect(text).not.toContain('<iframe');
});

test('hostile text is text, everywhere', async () => {
	const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)></main><main>';
	const { id } = await sendMail(
		mailbox,
		[
			`Subject: ${hostile}`,
			`From: =?utf-8?B?${Buffer.from(hostile).toString('base64')}?= <"x<script>"@example.com>`,
			'Content-Type: multipart/mixed; boundary=b',
			'',
			'--b',
			'',
			`${hostile} http://a.example/"onmouseover="alert(1) javascript:alert(1)`,
			'--b',
			`Content-Type: text/x<script>; name="<script>.txt"`,
			'Content-Disposition: attachment; filename="<script>.txt"',
			'',
			'attached',
			'--b--',
		].join('\n'),
	);
	for (const path of ['/', `/mails/${id}`]) {
		const [text = ''] = (await page(path)).text.split('<script nonce');
		expect(text).toContain('&lt;script&gt;');
		expect(text).not.toContain(hostile);
		expect(text).not.toMatch(/<img|<script>|href="javascript|<a[^>]*onmouseover/);
		expect(text.match(/<\/?main>/g)).toEqual(['<main>', '</main>']);
	}
	expect((await page(`/mails/${id}`)).text).toContain('href="http://a.example/"');
});

test("a mail's HTML is in a frame only, without scripts, forms and anything from elsewhere", async () => {
	const body =
		'<script>alert(1)</script><p>Hello</p><img src="https://elsewhere.example/pixel.png">';
	const { id } = await sendMail(mailbox, html('Hello', body));
	const shown = await page(`/mails/${id}`);
	expect(shown.text).not.toContain('alert(1)');
	const frame = /<iframe[^>]*>/.exec(shown.text)?.[0];
	expect(frame).toContain(`src="/mails/${id}/html"`);
	expect(frame).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
	expect(shown.headers.get('content-security-policy')).toMatch(/frame-src 'self'/);

	const framed = await page(`/mails/${id}/html`);
	expect(framed.text).toContain('<base target="_blank">');
	expect(framed.text).toContain('<p>Hello</p>');
	const policy = framed.headers.get('content-security-policy') ?? '';
	expect(policy.split('; ').sort()).toEqual([
		"base-uri 'none'",
		"default-src 'none'",
		"form-action 'none'",
		"frame-ancestors 'self'",
		'img-src data:',
		'sandbox allow-popups allow-popups-to-escape-sandbox',
		"style-src 'unsafe-inline'",
	]);
	expect(framed.headers.get('referrer-policy')).toBe('no-referrer');
});

test('a mail of both kinds has its text as well, an empty one says so', async () => {
	const both = await sendMail(
		mailbox,
		'Content-Type: multipart/alternative; boundary=b\n\n--b\n\nAs text\n--b\nContent-Type: text/html\n\n<p>As HTML\n--b--',
	);
	expect((await page(`/mails/${both.id}`)).text).toMatch(/<iframe[^]*As plain text[^]*As text/);
	const empty = await sendMail(mailbox, 'Subject: Empty');
	expect((await page(`/mails/${empty.id}`)).text).toContain('This email is empty.');
	expect((await page(`/mails/${empty.id}/html`)).status).toBe(404);
});

test('pages cannot be framed and load nothing from elsewhere', async () => {
	const { id } = await sendMail(mailbox, 'Subject: Hello\n\nBody');
	for (const path of ['/', `/mails/${id}`, '/mails/none', '/nowhere']) {
		const { headers, text } = await page(path);
		expect(headers.get('content-security-policy')).toMatch(
			/^default-src 'none'.*frame-ancestors 'none'$/,
		);
		expect(headers.get('cache-control')).toBe('no-store');
		expect(text).not.toMatch(/src="(?!\/)/);
	}
});

test.each(['/mails/none', '/mails/none/html', '/nowhere', '/mails/%E0%A4%A'])(
	'%s is a friendly page or a plain refusal',
	async (path) => {
		const { status, text } = await page(path);
		expect([400, 404]).toContain(status);
		if (status === 404) expect(text).toContain('There is no such email');
		expect(text).not.toMatch(/stack|sandbox\/mailbox\/|node:/);
	},
);

describe('emptying', () => {
	const change = (method: string, path: string, headers: Record<string, string>) =>
		exchange(`${mailbox.url}${path}`, { method, headers });

	test('by the button leads back to the list', async () => {
		await sendMail(mailbox, 'Subject: Gone\n\nBody');
		const { status, location } = await postForm(`${mailbox.url}/empty`, {});
		expect([status, location]).toEqual([303, '/']);
		expect((await page('/')).text).toContain('No emails yet');
	});

	test.each([
		['another origin', { origin: 'https://elsewhere.example' }],
		['another port', { origin: 'http://127.0.0.1:4010' }],
		['no origin', { origin: 'null' }],
		['another site', { 'sec-fetch-site': 'cross-site' }],
	])('is refused to a page of %s', async (_name, headers) => {
		await sendMail(mailbox, 'Subject: Stays\n\nBody');
		expect((await change('POST', '/empty', headers)).status).toBe(403);
		expect((await change('DELETE', '/api/mails', headers)).status).toBe(403);
		expect(await mailbox.mails()).toHaveLength(1);
	});

	test('is for its own page and for programs', async () => {
		const own = { origin: mailbox.url, 'sec-fetch-site': 'same-origin' };
		expect((await change('POST', '/empty', own)).status).toBe(303);
		expect((await change('DELETE', '/api/mails', {})).status).toBe(200);
	});
});

test('the list stays small when subjects and receivers are large', async () => {
	const dialogue = await dial(mailbox);
	const to = Array.from({ length: 200 }, (_, index) => `person${index}@example.com`);
	const long = `Subject:${' long subject\n'.repeat(2000)}\n\nBody`;
	expect(await dialogue.send(long, to)).toMatch(/^250 /);
	await dialogue.breakOff();
	expect((await page('/')).text.length).toBeLessThan(20_000);
});
