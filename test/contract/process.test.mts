import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../engine/support/service.mts';
import { exchange, textLike } from './client.mts';

const MAIN = join(import.meta.dirname, '../../sandbox/service/main.mts');
const run = promisify(execFile);

test('says one line when it is ready and ends cleanly when asked to', async () => {
	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		const child = spawn(process.execPath, [MAIN, '--port', '0']);
		const output = await once(child.stdout, 'data');
		expect(String(output)).toMatch(/^The sandbox service is ready at http:\/\/127\.0\.0\.1:\d+\n$/);
		child.kill(signal);
		expect(await once(child, 'exit')).toEqual([0, null]);
	}
});

test('ends with its parent', async () => {
	const child = spawn(process.execPath, [MAIN, '--port', '0', '--parent']);
	await once(child.stdout, 'data');
	child.stdin.end();
	expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a busy port is one sentence that says what to do', async () => {
	const service = await startService();
	const { port } = new URL(service.url);
	const failure: unknown = await run(process.execPath, [MAIN, '--port', port]).catch(
		(error: unknown) => error,
	);
	expect(failure).toMatchObject({
		code: 1,
		stdout: '',
		stderr: textLike(/^Port \d+ is in use: .*--port.*\n$/),
	});
	await service.stop();
});

test.each([
	[['--port', 'many'], /^--port must be a whole number/],
	[['--unknown'], /^Usage: /],
])('refuses %j in one sentence', async (args, message) => {
	const failure: unknown = await run(process.execPath, [MAIN, ...args]).catch(
		(error: unknown) => error,
	);
	expect(failure).toMatchObject({ code: 1, stderr: textLike(message) });
});

test('is healthy once it listens', async () => {
	const service = await startService();
	expect((await exchange(`${service.url}/healthz`)).json).toEqual({ status: 'ok' });
	await service.stop();
});
