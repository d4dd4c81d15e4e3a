import { dial, sendMail, type Dialogue } from '../support/mailbox.mts';
import { useMailbox } from './client.mts';

const mailbox = useMailbox();

let dialogue: Dialogue;
beforeEach(async () => {
	await mailbox.empty();
	dialogue = await dial(mailbox);
});
afterEach(() => dialogue.breakOff());

const MEGABYTE = 1024 * 1024;
const subjects = async () => (await mailbox.mails()).map(({ subject }) => subject);

test('offers no encryption, and takes any log-in or none', async () => {
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
});

test('a mail that is too large is refused, and the next one is taken', async () => {
	const line = `${'x'.repeat(998)}\n`;
	expect(await dialogue.send(`Subject: Huge\n\n${line.repeat(6 * 1024)}`)).toMatch(/^552 /);
	expect(await dialogue.send(`Subject: Large\n\n${line.repeat(4 * 1024)}`)).toMatch(/^250 /);
	expect(await subjects()).toEqual(['Large']);
});

test('keeps the newest 500 of 600 mails', async () => {
	for (let count = 1; count <= 600; count += 1) {
		expect(await dialogue.send(`Subject: ${count}\n\nBody`)).toMatch(/^250 /);
	}
	const kept = await subjects();
	expect(kept).toHaveLength(500);
	expect([kept[0], kept.at(-1)]).toEqual(['600', '101']);
	expect(new Set((await mailbox.mails()).map(({ id }) => id)).size).toBe(500);
});

test('half a mail is no mail', async () => {
	await dialogue.say('MAIL FROM:<a@example.com>');
	await dialogue.say('RCPT TO:<b@example.com>');
	await dialogue.say('DATA');
	dialogue.write('Subject: Half\r\n\r\nand th');
	await dialogue.breakOff();
	// The mailbox has seen the end of the first connection when it answers on a later one.
	await sendMail(mailbox, 'Subject: Whole\n\nBody');
	expect(await subjects()).toEqual(['Whole']);
});

const boundaries = Array.from({ length: 400 }, (_, level) => `boundary=b${level}\n\n--b${level}\n`);
test.each([
	['nested 400 deep', boundaries.map((own) => `Content-Type: multipart/mixed; ${own}`).join('')],
	['of a million lines', `Subject: Lines\n\n${'\n'.repeat(1_000_000)}`],
])('a mail %s is refused, not fatal', async (_name, message) => {
	expect(await dialogue.send(message)).toMatch(/^554 .*cannot read/);
	expect(await dialogue.send('Subject: Next\n\nBody')).toMatch(/^250 /);
	expect(await subjects()).toEqual(['Next']);
});
