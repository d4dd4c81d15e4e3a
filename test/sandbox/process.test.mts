import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { mailboxMain } from '../support/mailbox.mts';
import { useMailbox } from './client.mts';

const serviceMain = join(import.meta.dirname, '../../sandbox/service/main.mts');
const aService = [serviceMain, '--port', '0'];
const aMailbox = [mailboxMain, '--port', '0', '--smtp-port', '0'];

const mailbox = useMailbox();
const portOf = (url: string) => new URL(url).port;

describe.each([
	['sandbox service', aService, /http:\/\/127\.0\.0\.1:\d+/],
	['mailbox', aMailbox, /http:\/\/127\.0\.0\.1:\d+, for SMTP on 127\.0\.0\.1:\d+/],
])('the %s', (name, command, addresses) => {
	test.each<[how: string, args: string[], end: (child: ChildProcess) => void]>([
		['by SIGTERM', [], (child) => child.kill('SIGTERM')],
		['by SIGINT', [], (child) => child.kill('SIGINT')],
		['with its parent', ['--parent'], (child) => child.stdin?.end()],
	])('says one line when it is ready and ends cleanly %s', async (_how, args, end) => {
		const child = spawn(process.execPath, [...command, ...args]);
		const ready = RegExp(`^The ${name} is ready at ${addresses.source}\\n$`);
		expect(String(await once(child.stdout, 'data'))).toMatch(ready);
		end(child);
		const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
		expect({ code, signal }).toEqual({ code: 0, signal: null });
	});
});

test('the mailbox listens on 127.0.0.1 alone, not on every address', async () => {
	for (const port of [Number(portOf(mailbox.url)), mailbox.smtpPort]) {
		const socket = connect(port, '127.0.0.2');
		await expect(once(socket, 'connect')).rejects.toThrow();
		socket.destroy();
	}
});
