import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { signed, valueOf, withBody, withHeader, type Delivery } from '../support/delivery.mts';
import { send } from '../support/send.mts';
import { codeBlock, textFile } from '../support/markdown.mts';

// The two programs of docs/verify-signatures.md. Its workflow: test/e2e/docs-signatures.test.mts.

const secret = 'a webhook secret of the reader';
const good = signed({ secret, body: '{"event":"a.b","requestId":"r1","shareStatus":"ö"}' });
const time = valueOf(good, 'X-SVC-Timestamp');

const forged: Array<[string, Delivery]> = [
	['another body', withBody(good, '{"event":"a.b","requestId":"r2"}')],
	['another secret', signed({ secret: 'another webhook secret', body: good.body })],
	[
		'bytes moved from the body into the timestamp',
		withBody(withHeader(good, 'X-SVC-Timestamp', `${time}.{"event":"a`), good.body.subarray(12)),
	],
];

const folder = mkdtempSync(join(tmpdir(), 'signatures-'));
for (const file of ['verify.sh', 'receiver.mjs']) {
	writeFileSync(join(folder, file), codeBlock(textFile('docs/verify-signatures.md'), file));
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the shell script says of a body in a file, as on the page. */
function shell(
	WEBHOOK_SECRET: string,
	timestamp: string,
	signature: string,
	body: Buffer | string,
) {
	writeFileSync(join(folder, 'body.json'), body);
	const command = 'sh verify.sh "$1" "$2" < body.json';
	const env = { ...process.env, WEBHOOK_SECRET };
	const args = ['-c', command, 'sh', timestamp, signature];
	const { status, stdout } = spawnSync('sh', args, { cwd: folder, env, encoding: 'utf8' });
	return [status, stdout.trim()];
}

test('the shell script takes the example of the page', () => {
	const page = textFile('docs/verify-signatures.md');
	const [example = '', timestamp = '', signature = ''] = ['Secret', 'Timestamp', 'Signature'].map(
		(part) => new RegExp(`^\\| ${part} \\| \`(.+)\` \\|$`, 'm').exec(page)?.[1],
	);
	const body = codeBlock(page, 'body.json').replace(/\n$/, '');
	expect(shell(example, timestamp, signature, body)).toEqual([0, 'genuine']);
});

test.each(forged)('the shell script refuses %s', (_what, delivery) => {
	const [timestamp, signature] = ['X-SVC-Timestamp', 'X-SVC-Signature'].map((name) =>
		valueOf(delivery, name),
	) as [string, string];
	expect(shell(secret, timestamp, signature, delivery.body)).toEqual([1, 'forged']);
});

test('the receiver refuses the same and what is too old, and accepts what is genuine', async () => {
	const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' };
	const program = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env });
	program.stderr.resume();
	try {
		const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
		const nextLine = async () => String((await lines.next()).value);
		const port = /^Listening on port (\d+)$/.exec(await nextLine())?.[1];
		const old = signed({ secret, timestamp: String(Date.now() - 301_000) });
		const statuses: number[] = [];
		for (const delivery of [...forged.map(([, one]) => one), old, good]) {
			statuses.push((await send(`http://127.0.0.1:${port}/`, delivery)).status);
		}
		expect(statuses).toEqual([401, 401, 401, 401, 200]);
		expect(await nextLine()).toBe('r1 is ö');
	} finally {
		program.kill();
		await once(program, 'exit');
	}
});

test.each(['sh verify.sh 1 2 < receiver.mjs', 'exec node receiver.mjs'])(
	'%s does nothing without a secret, with which everybody could sign',
	(command) => {
		const env = { ...process.env, WEBHOOK_SECRET: '', PORT: '0' };
		const options = { cwd: folder, env, timeout: 5_000, encoding: 'utf8' } as const;
		const { status, stdout } = spawnSync('sh', ['-c', command], options);
		expect([status === 0, stdout]).toEqual([false, '']);
	},
);
