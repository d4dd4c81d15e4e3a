import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dial, mailboxMain, startMailbox } from '../support/mailbox.mts';
import { textLike, useMailbox, useService } from './client.mts';

const serviceMain = join(import.meta.dirname, '../../sandbox/service/main.mts');
const anyPort = ['--port', '0'];
const anySmtpPort = ['--smtp-port', '0'];

const service = useService();
const mailbox = useMailbox();
const portOf = (url: string) => new URL(url).port;

describe.each([
	[
		'the service',
		[serviceMain, ...anyPort],
		/^The sandbox service is ready at http:\/\/127\.0\.0\.1:\d+\n$/,
	],
	[
		'the mailbox',
		[mailboxMain, ...anyPort, ...anySmtpPort],
		/^The mailbox is ready at http:\/\/127\.0\.0\.1:\d+, for SMTP on 127\.0\.0\.1:\d+\n$/,
	],
])('%s', (_name, command, ready) => {
	async function start(...args: string[]) {
		const child = spawn(process.execPath, [...command, ...args]);
		expect(String(await once(child.stdout, 'data'))).toMatch(ready);
		return child;
	}

	test.each(['SIGTERM', 'SIGINT'] as const)(
		'says one line when it is ready and ends cleanly by %s',
		async (signal) => {
			const child = await start();
			child.kill(signal);
			expect(await once(child, 'exit')).toEqual([0, null]);
		},
	);

	test('ends with its parent', async () => {
		const child = await start('--parent');
		child.stdin.end();
		expect(await once(child, 'exit')).toEqual([0, null]);
	});
});

test('the mailbox ends although a sender is connected', async () => {
	const own = await startMailbox();
	const dialogue = await dial(own);
	await own.stop();
	expect(await dialogue.reply()).toMatch(/^(421 .*)?$/);
	await expect(fetch(own.url)).rejects.toThrow();
});

test.each<[stderr: RegExp, args: () => string[]]>([
	[/^Port \d+ is in use: .*--port.*\n$/, () => [serviceMain, '--port', portOf(service.url())]],
	[
		/^Port \d+ is in use: .*--port .*\n$/,
		() => [mailboxMain, '--port', portOf(mailbox.url), ...anySmtpPort],
	],
	[
		/^Port \d+ is in use: .*--smtp-port .*\n$/,
		() => [mailboxMain, ...anyPort, '--smtp-port', String(mailbox.smtpPort)],
	],
	[/^--port must be a whole number.*\n$/, () => [serviceMain, '--port', 'many']],
	[/^--smtp-port must be a whole number.*\n$/, () => [mailboxMain, '--smtp-port', 'many']],
	[/^Usage: .*\n$/, () => [serviceMain, '--unknown']],
	[/^Usage: .*\n$/, () => [mailboxMain, '--unknown']],
])('a wrong start is one sentence: %s', async (stderr, args) => {
	const failure: unknown = await promisify(execFile)(process.execPath, args()).catch(
		(error: unknown) => error,
	);
	expect(failure).toMatchObject({ code: 1, stdout: '', stderr: textLike(stderr) });
});

test('the mailbox listens on 127.0.0.1 alone, not on every address', async () => {
	for (const port of [Number(portOf(mailbox.url)), mailbox.smtpPort]) {
		const socket = connect(port, '127.0.0.2');
		await expect(once(socket, 'connect')).rejects.toThrow();
		socket.destroy();
	}
});
