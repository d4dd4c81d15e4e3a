import { dial, sendMail, type Dialogue } from '../support/mailbox.mts';
import { useMailbox } from './client.mts';

const mailbox = useMailbox();
beforeEach(() => mailbox.empty());

const message = (headers: string[], ...body: string[]) => [...headers, '', ...body].join('\r\n');
const simple = (subject: string, ...body: string[]) =>
	message([`Subject: ${subject}`, 'From: Ann <ann@example.com>'], ...body);
const part = (type: string, encoding: string, body: string) =>
	message([`Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`], body);
const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');

test('a plain mail arrives with all its fields', async () => {
	const before = Date.now();
	const mail = await sendMail(mailbox, simple('Hello', 'First line', '.dot', '', 'Last line'));
	expect(mail).toEqual({
		id: mail.id,
		from: 'Ann <ann@example.com>',
		to: ['ada@example.com'],
		subject: 'Hello',
		receivedAt: new Date(mail.receivedAt).toISOString(),
		text: 'First line\n.dot\n\nLast line\n',
		html: '',
		links: [],
		attachments: [],
	});
	expect(Date.parse(mail.receivedAt)).toBeGreaterThanOrEqual(before);
});

test('a multipart mail has text, HTML, a decoded subject and its attachments', async () => {
	const quoted = 'Gr=C3=BC=C3=9Fe: http://127.0.0.1:4010/request/=\r\nabc=3D1.';
	const html = '<p>Grüße: <a href="http://127.0.0.1/?a=1&amp;b=2">link</a></p>';
	const alternatives = message(
		['Content-Type: multipart/alternative; boundary=inner'],
		...['--inner', part('text/plain; charset=utf-8', 'quoted-printable', quoted)],
		...['--inner', part('text/html; charset=utf-8', 'base64', base64(html)), '--inner--'],
	);
	const rows = part('text/csv; name="rows.csv"', 'base64', base64('a;b\n1;2\n'));
	const headers = [
		'Subject: =?UTF-8?B?WsO8cmljaCDinIUg5p2x5Lqs?=',
		'From: =?UTF-8?Q?J=C3=B6rg?= <joerg@example.com>',
		'Content-Type: multipart/mixed; boundary=outer',
	];
	const attached = ['--outer', `Content-Disposition: attachment; filename="rows.csv"\r\n${rows}`];
	const raw = message(headers, '--outer', alternatives, ...attached, '--outer--');
	const mail = await sendMail(mailbox, raw);
	expect(mail).toMatchObject({
		from: 'Jörg <joerg@example.com>',
		subject: 'Zürich ✅ 東京',
		text: 'Grüße: http://127.0.0.1:4010/request/abc=1.\n',
		links: ['http://127.0.0.1:4010/request/abc=1', 'http://127.0.0.1/?a=1&b=2'],
		attachments: [{ name: 'rows.csv', type: 'text/csv', size: 8 }],
	});
	expect(mail.html).toContain(html);
});

test.each([
	['nothing at all', '', { from: 'sender@example.com', subject: '', text: '' }],
	['a header only', 'Subject: Only this', { subject: 'Only this', text: '', html: '' }],
	['a header without a colon', 'No header here\r\nSubject: After\r\n\r\nBody', { text: 'Body\n' }],
	['HTML alone', message(['Content-Type: text/html'], '<p>Hi'), { text: '', html: '<p>Hi\n' }],
	['bytes above ASCII', Buffer.from('\r\nGrüße'), { text: 'Grüße\n' }],
])('an odd mail is kept: %s', async (_name, raw, expected) => {
	expect(await sendMail(mailbox, raw)).toMatchObject({ to: ['ada@example.com'], ...expected });
});

test('is addressed to those the server was told, blind copies included', async () => {
	const raw = message(['To: shown@example.com', 'Subject: Blind'], 'Body');
	const to = ['Ada@Example.com', 'hidden@example.com'];
	expect((await sendMail(mailbox, raw, to)).to).toEqual(to);
	await sendMail(mailbox, simple('Other', 'Body'), ['ben@example.com']);

	const subjects = async (address: string) =>
		(await mailbox.mails(address)).map(({ subject }) => subject);
	expect(await subjects('ada@example.COM')).toEqual(['Blind']);
	expect(await subjects('hidden@example.com')).toEqual(['Blind']);
	expect(await subjects('shown@example.com')).toEqual([]);
	expect((await mailbox.mails()).map(({ subject }) => subject)).toEqual(['Other', 'Blind']);
});

test('forgets all mails when told so', async () => {
	await sendMail(mailbox, simple('One', 'Body'));
	const answer = await fetch(`${mailbox.url}/api/mails`, { method: 'DELETE' });
	expect(await answer.json()).toEqual({ mails: 1 });
	expect(await mailbox.mails()).toEqual([]);
});

describe('over SMTP', () => {
	let dialogue: Dialogue;
	beforeEach(async () => {
		dialogue = await dial(mailbox);
	});
	afterEach(() => dialogue.breakOff());

	const subjects = async () => (await mailbox.mails()).map(({ subject }) => subject);

	test('offers no encryption, and takes any log-in or none', async () => {
		const offers = await dialogue.say('EHLO again.example.com');
		expect(offers).toMatch(/^250-sandbox-mailbox/);
		expect(offers).toContain('AUTH');
		expect(offers).toContain(`SIZE ${5 * 1024 * 1024}`);
		expect(offers).not.toContain('STARTTLS');
		expect(await dialogue.say('STARTTLS')).toMatch(/^5\d\d /);
		const login = Buffer.from('\0somebody\0any password').toString('base64');
		expect(await dialogue.say(`AUTH PLAIN ${login}`)).toMatch(/^235 /);
		expect(await dialogue.send('Subject: Logged in\n\nBody')).toMatch(/^250 /);
		expect(await subjects()).toEqual(['Logged in']);
	});

	test('a mail that is too large is refused, and the next one is taken', async () => {
		const line = `${'x'.repeat(998)}\n`;
		expect(await dialogue.send(`Subject: Huge\n\n${line.repeat(6 * 1024)}`)).toMatch(/^552 /);
		expect(await dialogue.send(`Subject: Large\n\n${line.repeat(4 * 1024)}`)).toMatch(/^250 /);
		expect(await subjects()).toEqual(['Large']);
	});

	const boundaries = Array.from(
		{ length: 400 },
		(_, level) => `boundary=b${level}\n\n--b${level}\n`,
	);
	test.each([
		['nested 400 deep', boundaries.map((own) => `Content-Type: multipart/mixed; ${own}`).join('')],
		['of a million lines', `Subject: Lines\n\n${'\n'.repeat(1_000_000)}`],
	])('a mail %s is refused, not fatal', async (_name, message) => {
		expect(await dialogue.send(message)).toMatch(/^554 .*cannot read/);
		expect(await dialogue.send('Subject: Next\n\nBody')).toMatch(/^250 /);
		expect(await subjects()).toEqual(['Next']);
	});
});
