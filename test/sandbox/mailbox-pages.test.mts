import { sendMail } from '../support/mailbox.mts';
import { exchange, expectPage, useMailbox } from './client.mts';

const mailbox = useMailbox();
beforeEach(() => mailbox.empty());

const page = (path: string) => exchange(`${mailbox.url}${path}`);
/** The page of a newly arrived mail, and the mail's ID. */
async function pageOf(...lines: string[]) {
	const { id } = await sendMail(mailbox, lines.join('\n'));
	return { id, ...(await page(`/mails/${id}`)) };
}

test('the list has the newest first, with sender, receivers, subject and time', async () => {
	await sendMail(mailbox, 'Subject: First\nFrom: Ann <ann@example.com>\n\nBody');
	const to = ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example', 'e@x.example'];
	const { id, receivedAt } = await sendMail(mailbox, 'Subject: Second\n\nBody', to);
	const list = await page('/');
	expect(list.text.match(/Second|First/g)).toEqual(['Second', 'First']);
	const second = [`datetime="${receivedAt}"`, `href="/mails/${id}"`];
	const senders = [
		'from sender@example.com to a@x.example, b@x.example, c@x.example and 2 more',
		'from Ann &lt;ann@example.com&gt; to ada@example.com',
	];
	expectPage(list, 200, ...second, ...senders, 'Empty the mailbox');
});

test('a text has its guest link as a link that opens in a tab of its own', async () => {
	const link = 'http://127.0.0.1:4010/request/abc?x=1&y=2';
	const shown = await pageOf('Subject: Hello', '', 'Please fill in:', `  ${link}.`);
	const escaped = link.replace('&', '&amp;');
	const anchor = `<a href="${escaped}" target="_blank" rel="noopener noreferrer">${escaped}</a>.`;
	expectPage(shown, 200, `Please fill in:\n  ${anchor}\n`);
	expect(shown.text).not.toContain('<iframe');
});

test('hostile text is text, everywhere', async () => {
	const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)></main><main>';
	const mail = await pageOf(
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
	);
	for (const shown of [await page('/'), mail]) {
		const [text = ''] = shown.text.split('<script nonce');
		expect(text).toContain('&lt;script&gt;');
		expect(text).not.toContain(hostile);
		expect(text).not.toMatch(/<img|<script>|href="javascript|<a[^>]*onmouseover/);
		expect(text.match(/<\/?main>/g)).toEqual(['<main>', '</main>']);
	}
	expectPage(mail, 200, 'href="http://a.example/"');
});

test("a mail's HTML is in a frame only, without scripts, forms and anything from elsewhere", async () => {
	const body = '<script>alert(1)</script><p>Hello</p><img src="https://elsewhere.example/pixel">';
	const shown = await pageOf('Content-Type: text/html; charset=utf-8', '', body);
	expect(shown.text).not.toContain('alert(1)');
	const frame = /<iframe[^>]*>/.exec(shown.text)?.[0];
	expect(frame).toContain(`src="/mails/${shown.id}/html"`);
	expect(frame).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
	expect(shown.headers.get('content-security-policy')).toMatch(/frame-src 'self'/);

	const framed = await page(`/mails/${shown.id}/html`);
	expectPage(framed, 200, '<base target="_blank">', '<p>Hello</p>');
	const policy = framed.headers.get('content-security-policy') ?? '';
	expect(policy.split('; ').sort()).toEqual([
		...["base-uri 'none'", "default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"],
		...['img-src data:', 'sandbox allow-popups allow-popups-to-escape-sandbox'],
		"style-src 'unsafe-inline'",
	]);
	expect(framed.headers.get('referrer-policy')).toBe('no-referrer');
});

test('pages cannot be framed and load nothing from elsewhere, and what is missing says so', async () => {
	const mail = await pageOf('Subject: Hello', '', 'Body');
	const paths = ['/mails/none', '/mails/none/html', '/nowhere', '/mails/%E0%A4%A'];
	const missing = await Promise.all(paths.map(page));
	for (const shown of [mail, await page('/'), ...missing]) {
		const policy = shown.headers.get('content-security-policy');
		expect(policy).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
		expect(shown.headers.get('cache-control')).toBe('no-store');
		expect(shown.text).not.toMatch(/src="(?!\/)|stack|sandbox\/mailbox\/|node:/);
	}
	for (const shown of missing) expectPage(shown, 404, 'There is no such email');
});
