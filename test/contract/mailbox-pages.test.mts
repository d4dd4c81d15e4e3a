import { dial, sendMail } from '../support/mailbox.mts';
import { asForm, exchange, expectPage, useMailbox } from './client.mts';

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

test.each([
	['its first line', '\n\n  Hello Ada,\nplease answer', 'Hello Ada,'],
	[
		'the first line of its HTML',
		'Content-Type: text/html\n\n<style>b {}</style><!-- a > b --><p title="x>y">\n<b>You &amp; I',
		'You &amp; I',
	],
	[
		'"No subject" if it is empty',
		'Content-Type: text/html\n\n<title>x</title><p></p>',
		'No subject',
	],
])('without a subject, a mail is called by %s', async (_title, raw, heading) => {
	const { id } = await sendMail(mailbox, raw);
	expectPage(await page('/'), 200, `<strong>${heading}</strong>`);
	expectPage(await page(`/mails/${id}`), 200, `<h1>${heading}</h1>`, `<title>${heading}</title>`);
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

test.each([
	[
		'in a text',
		'<p>At http://a.example/x?y=1, ok',
		'At <a href="http://a.example/x?y=1">http://a.example/x?y=1</a>, ok',
	],
	[
		'with &amp;amp;',
		'http://a.example/?a=1&amp;b=2&nbsp;c',
		'<a href="http://a.example/?a=1&amp;b=2">http://a.example/?a=1&amp;b=2</a>&nbsp;c',
	],
	[
		'quoted',
		'&quot;http://a.example/&quot;',
		'&quot;<a href="http://a.example/">http://a.example/</a>&quot;',
	],
	[
		'after a lone <',
		'1 < 2 http://a.example/',
		'1 < 2 <a href="http://a.example/">http://a.example/</a>',
	],
])("a URL in a mail's HTML is a link: %s", async (_title, html, shown) => {
	const { id } = await sendMail(mailbox, `Content-Type: text/html\n\n${html}`);
	expectPage(await page(`/mails/${id}/html`), 200, shown);
});

test.each([
	'<a href="http://a.example/x"><b>http://a.example/x</b></a>',
	'<A HREF=http://a.example/x>http://a.example/x</A>',
	'<img alt="> http://a.example/" src=\'http://b.example\'>',
	'<!-- <p> http://a.example/ -->',
	'<style>@import url(http://a.example/);</style>',
	'javascript:alert(1)',
])("in a mail's HTML, everything else stays as it is: %s", async (html) => {
	const { id } = await sendMail(mailbox, `Content-Type: text/html\n\n${html}`);
	expectPage(await page(`/mails/${id}/html`), 200, `</style>${html}`);
});

test('a mail of both kinds has its text as well, an empty one says so', async () => {
	const asText = ['--b', '', 'As text'];
	const asHtml = ['--b', 'Content-Type: text/html', '', '<p>As HTML', '--b--'];
	const kinds = 'Content-Type: multipart/alternative; boundary=b';
	const both = await pageOf(kinds, '', ...asText, ...asHtml);
	expect(both.text).toMatch(/<iframe[^]*As plain text[^]*As text/);
	const empty = await pageOf('Subject: Empty');
	expectPage(empty, 200, 'This email is empty.');
	expect((await page(`/mails/${empty.id}/html`)).status).toBe(404);
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

test('the button empties it and leads back to the list, which says what to do', async () => {
	await sendMail(mailbox, 'Subject: Gone\n\nBody');
	const { status, location } = await exchange(`${mailbox.url}/empty`, asForm({}));
	expect([status, location]).toEqual([303, '/']);
	const empty = await page('/');
	expectPage(empty, 200, 'No emails yet', `smtp://127.0.0.1:${mailbox.smtpPort}`);
	expect(empty.text).not.toContain('Empty the mailbox');
});

test('the list stays small when subjects and receivers are large', async () => {
	const dialogue = await dial(mailbox);
	const to = Array.from({ length: 200 }, (_, index) => `person${index}@example.com`);
	const long = `Subject:${' long subject\n'.repeat(2000)}\n\nBody`;
	expect(await dialogue.send(long, to)).toMatch(/^250 /);
	await dialogue.breakOff();
	expect((await page('/')).text.length).toBeLessThan(20_000);
});
