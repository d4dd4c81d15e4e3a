import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import {
	dial,
	mailboxMain,
	sendMail,
	startMailbox,
	type Mailbox,
} from '../engine/support/mailbox.mts';
import { textLike } from './client.mts';

let mailbox: Mailbox;
beforeAll(async () => {
	mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());
beforeEach(() => mailbox.empty());

const MEGABYTE = 1024 * 1024;
const subjects = async () => (await mailbox.mails()).map(({ subject }) => subject);

test('offers no encryption, and takes any log-in or none', async () => {
	const dialogue = await dial(mailbox);
	const offers = await dialogue.say('EHLO again.example.com');
	expect(offers).toMatch(/^250-sandbox-mailbox/);
	expect(offers).toContain('AUTH');
	expect(offers).toContain(`SIZE ${5 * MEGABYTE}`);
	expect(offers).not.toContain('STARTTLS');
	expect(await dialogue.say('STARTTLS')).toMatch(/^5\d\d /);
	const login = Buffer.from('\0somebody\0any password').toString('base64');
	expect(await dialogue.say(`AUTH PLAIN ${login}`)).toMatch(/^235 /);
	expect(await dialogue.send('Subject: Logged in\n\nBody')).toMatch(/^250 /);
	expect(await subjects()).toEqual(['Logged in']);
	await dialogue.breakOff();
});

test('refuses what is not SMTP, and goes on', async () => {
	const dialogue = await dial(mailbox);
	expect(await dialogue.say('DATA')).toMatch(/^503 /);
	expect(await dialogue.say('NONSENSE')).toMatch(/^500 /);
	expect(await dialogue.say('GET / HTTP/1.1')).toMatch(/^421 /);
	await dialogue.breakOff();
	await sendMail(mailbox, 'Subject: Still there\n\nBody');
	expect(await subjects()).toEqual(['Still there']);
});

describe('a mail that is too large', () => {
	test('is refused when it says so', async () => {
		const dialogue = await dial(mailbox);
		const large = `MAIL FROM:<a@example.com> SIZE=${6 * MEGABYTE}`;
		expect(await dialogue.say(large)).toMatch(/^552 /);
		await dialogue.breakOff();
	});

	test('is refused when it does not say so, and the next one is taken', async () => {
		const dialogue = await dial(mailbox);
		const line = `${'x'.repeat(998)}\n`;
		const huge = `Subject: Huge\n\n${line.repeat(6 * 1024)}`;
		expect(await dialogue.send(huge)).toMatch(/^552 /);
		expect(await dialogue.send(`Subject: Large\n\n${line.repeat(4 * 1024)}`)).toMatch(/^250 /);
		expect(await subjects()).toEqual(['Large']);
		await dialogue.breakOff();
	});
});

test('keeps the newest 500 of 600 mails', async () => {
	const dialogue = await dial(mailbox);
	for (let count = 1; count <= 600; count += 1) {
		expect(await dialogue.send(`Subject: ${count}\n\nBody`)).toMatch(/^250 /);
	}
	const kept = await subjects();
	expect(kept).toHaveLength(500);
	expect([kept[0], kept.at(-1)]).toEqual(['600', '101']);
	expect(new Set((await mailbox.mails()).map(({ id }) => id)).size).toBe(500);
	await dialogue.breakOff();
});

test('takes mails of 20 senders at once', async () => {
	const senders = Array.from({ length: 20 }, (_, index) => `sender ${index}`);
	const send = async (name: string) => {
		const dialogue = await dial(mailbox);
		expect(await dialogue.send(`Subject: ${name}\n\nBody`)).toMatch(/^250 /);
		await dialogue.breakOff();
	};
	await Promise.all(senders.map(send));
	expect((await subjects()).sort()).toEqual(senders.sort());
});

test('half a mail is no mail', async () => {
	const dialogue = await dial(mailbox);
	await dialogue.say('MAIL FROM:<a@example.com>');
	await dialogue.say('RCPT TO:<b@example.com>');
	await dialogue.say('DATA');
	dialogue.write('Subject: Half\r\n\r\nand th');
	await dialogue.breakOff();
	// The mailbox has seen the end of the first connection when it answers on a later one.
	await sendMail(mailbox, 'Subject: Whole\n\nBody');
	expect(await subjects()).toEqual(['Whole']);
});

test.each([
	[
		'nested 400 deep',
		Array.from(
			{ length: 400 },
			(_, level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`,
		).join(''),
	],
	['of a million lines', `Subject: Lines\n\n${'\n'.repeat(1_000_000)}`],
])('a mail %s is refused, not fatal', async (_name, message) => {
	const dialogue = await dial(mailbox);
	expect(await dialogue.send(message)).toMatch(/^554 .*cannot read/);
	expect(await dialogue.send('Subject: Next\n\nBody')).toMatch(/^250 /);
	expect(await subjects()).toEqual(['Next']);
	await dialogue.breakOff();
});

test.each([
	['dots after an address', `http://a.example/${'.'.repeat(2 * MEGABYTE)}x`],
	[
		'brackets after an address',
		`http://a.example/${'(('.repeat(MEGABYTE)}${'))'.repeat(MEGABYTE)}`,
	],
	['many addresses', 'http://a.example/ '.repeat(200_000)],
	['half entities', '&#x&#'.repeat(400_000)],
	['open tags', '<a href="'.repeat(200_000)],
])(
	'a mail made to keep it busy does not: %s',
	async (_name, body) => {
		const lines = body.replace(/.{900}/g, '$&=\n');
		const head =
			'Subject: Busy\nContent-Transfer-Encoding: quoted-printable\nContent-Type: text/html';
		await sendMail(mailbox, `${head}\n\n${lines}`);
		expect((await fetch(mailbox.url)).status).toBe(200);
		// Work that grew with the square of the length would take hours.
	},
	60_000,
);

describe('the process', () => {
	const run = promisify(execFile);
	const ports = ['--port', '0', '--smtp-port', '0'];

	test.each(['SIGTERM', 'SIGINT'] as const)(
		'says one line and ends cleanly by %s',
		async (signal) => {
			const child = spawn(process.execPath, [mailboxMain, ...ports]);
			expect(String(await once(child.stdout, 'data'))).toMatch(
				/^The mailbox is ready at http:\/\/127\.0\.0\.1:\d+, for SMTP on 127\.0\.0\.1:\d+\n$/,
			);
			child.kill(signal);
			expect(await once(child, 'exit')).toEqual([0, null]);
		},
	);

	test('ends with its parent, and although a sender is connected', async () => {
		const own = await startMailbox();
		const dialogue = await dial(own);
		await own.stop();
		expect(await dialogue.reply()).toMatch(/^(421 .*)?$/);
		await expect(fetch(own.url)).rejects.toThrow();
	});

	test.each([
		[
			(busy: Mailbox) => ['--port', new URL(busy.url).port, '--smtp-port', '0'],
			/^Port \d+ is in use: .*--port /,
		],
		[
			(busy: Mailbox) => ['--port', '0', '--smtp-port', String(busy.smtpPort)],
			/^Port \d+ is in use: .*--smtp-port /,
		],
		[() => ['--smtp-port', 'many'], /^--smtp-port must be a whole number/],
		[() => ['--unknown'], /^Usage: /],
	])('a wrong start is one sentence: %#', async (args, stderr) => {
		const failure: unknown = await run(process.execPath, [mailboxMain, ...args(mailbox)]).catch(
			(error: unknown) => error,
		);
		expect(failure).toMatchObject({ code: 1, stdout: '', stderr: textLike(stderr) });
	});

	test('listens on 127.0.0.1 alone, not on every address', async () => {
		for (const port of [Number(new URL(mailbox.url).port), mailbox.smtpPort]) {
			const socket = connect(port, '127.0.0.2');
			await expect(once(socket, 'connect')).rejects.toThrow();
			socket.destroy();
		}
	});
});
