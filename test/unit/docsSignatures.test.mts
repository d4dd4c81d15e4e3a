import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { signed } from '../support/delivery.mts';
import { send } from '../support/send.mts';
import { codeBlock, ROOT, textFile } from '../support/markdown.mts';

// The receiver and the example of docs/verify-signatures.md.

const secret = 'a webhook secret of the reader';
const body = '{"event":"a.b","requestId":"r1","shareStatus":"ö"}';
const isoBefore = (milliseconds: number) =>
	new Date(Date.now() - milliseconds).toISOString().replace('Z', '+00:00');
const folder = mkdtempSync(join(tmpdir(), 'signatures-'));
const receiver = join(ROOT, 'examples', 'receiver.mjs');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('openssl makes the signature of the example', () => {
	const page = textFile('docs/verify-signatures.md');
	const signature = /^\| Signature \| `(.+)` \|$/m.exec(page)?.[1];
	writeFileSync(join(folder, 'body.json'), codeBlock(page, 'body.json').replace(/\n$/, ''));
	const command = ['-c', codeBlock(page, 'sign.sh')];
	const { stdout } = spawnSync('sh', command, { cwd: folder, encoding: 'utf8' });
	expect(stdout.split(' ')[0]).toBe(signature);
});

test('the receiver refuses what is forged or too old, and accepts what is genuine', async () => {
	const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' };
	const program = spawn(process.execPath, [receiver], { env });
	program.stderr.resume();
	try {
		const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
		const nextLine = async () => String((await lines.next()).value);
		const port = /^Listening on port (\d+)$/.exec(await nextLine())?.[1];
		for (const [delivery, expected] of [
			[signed({ secret: 'another webhook secret', body }), /^401 /],
			[signed({ secret, body, timestamp: isoBefore(301_000) }), /^401 /],
			[signed({ secret, body, timestamp: isoBefore(0) }), /^200 /],
		] as const) {
			expect(await send(`http://127.0.0.1:${port}/`, delivery)).toMatch(expected);
		}
		expect(await nextLine()).toBe('r1 is ö');
	} finally {
		program.kill();
		await once(program, 'exit');
	}
});
