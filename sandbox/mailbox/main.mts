import { parseArgs } from 'node:util';
import { buildApp } from './app.mts';
import { createMails } from './mails.mts';
import { startSmtp } from './smtp.mts';

const USAGE = 'Usage: node sandbox/mailbox/main.mts [--port 4020] [--smtp-port 4025] [--parent]';
const host = '127.0.0.1';

const { values } = readArguments();
const mails = createMails();
const smtp = await startSmtp(mails, portOf('smtp-port')).catch((error: unknown) =>
	fail(explain(error, 'smtp-port')),
);
const app = await buildApp(mails, smtp.port);

// In place before the ready line, so that whoever reads it can end the mailbox at once.
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
if (values.parent) process.stdin.resume().once('close', stop);

try {
	const address = await app.listen({ port: portOf('port'), host });
	console.log(`The mailbox is ready at ${address}, for SMTP on ${host}:${smtp.port}`);
} catch (error) {
	fail(explain(error, 'port'));
}

function stop(): void {
	void Promise.allSettled([app.close(), smtp.close()]).finally(() => process.exit(0));
}

function readArguments() {
	try {
		return parseArgs({
			options: {
				port: { type: 'string', default: '4020' },
				'smtp-port': { type: 'string', default: '4025' },
				parent: { type: 'boolean', default: false },
			},
		});
	} catch {
		return fail(USAGE);
	}
}

function portOf(name: 'port' | 'smtp-port'): number {
	const text = values[name];
	const isPort = /^\d+$/.test(text) && Number(text) <= 65_535;
	return isPort ? Number(text) : fail(`--${name} must be a whole number up to 65535.`);
}

function explain(error: unknown, name: 'port' | 'smtp-port'): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	const reason = code === 'EADDRINUSE' ? 'is in use' : 'cannot be used';
	return `Port ${values[name]} ${reason}: choose another one with --${name} (0 takes any free one).`;
}

function fail(message: string): never {
	console.error(message);
	process.exit(1);
}
