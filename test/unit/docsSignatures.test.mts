import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isSignedBy } from '../../nodes/DataCollection/webhook/signature.ts';
import { SECRET } from '../support/delivery.mts';
import { genuine, now, sentAs, type Sent } from '../support/forgeries.mts';
import { codeBlock, codeBlocks, tableRows, textFile } from '../support/markdown.mts';

const PAGE = textFile('docs/verify-signatures.md');

test('every block is run by a test', () => {
	const named = codeBlocks(PAGE).map(({ language, name }) => name || language);
	// `text` is the rule in words, and test/e2e/docs-signatures.test.mts runs the workflow.
	const blocks = ['body.json', 'verify.sh', 'receiver.mjs', 'receiver.py', 'verify-signature.json'];
	expect(named).toEqual(['text', ...blocks]);
});

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'signatures-'));
	for (const file of ['verify.sh', 'receiver.mjs', 'receiver.py']) {
		writeFileSync(join(folder, file), codeBlock(PAGE, file));
	}
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What none of the programs may accept. */
const forged: Array<[string, () => Sent]> = [
	['another body', () => ({ ...genuine(), body: Buffer.from('{"requestId":"r2"}') })],
	['another timestamp', () => ({ ...genuine(), timestamp: now(-1) })],
	['no signature', () => ({ ...genuine(), signature: '' })],
];

describe('the shell script', () => {
	function verify(secret: string, { timestamp, signature, body }: Sent) {
		// A file, as on the page: the script may end without reading it.
		writeFileSync(join(folder, 'body.json'), body);
		const command = ['-c', 'exec sh verify.sh "$@" < body.json', 'sh', timestamp, signature];
		const env = { ...process.env, WEBHOOK_SECRET: secret };
		const { status, stdout } = spawnSync('sh', command, { cwd: folder, env, encoding: 'utf8' });
		return [status, stdout.trim()];
	}

	test("takes the example of the page, as the package's own code does", () => {
		const cells = tableRows(PAGE).map(([part = '', value = '']) => [part, value.slice(1, -1)]);
		const { Secret: secret = '', ...shown } = Object.fromEntries(cells) as Record<string, string>;
		const { Timestamp: timestamp = '', Signature: signature = '' } = shown;
		const body = Buffer.from(codeBlock(PAGE, 'body.json').replace(/\n$/, ''));
		const sent = { timestamp, signature, body };
		expect(isSignedBy([secret], sent)).toBe(true);
		expect(verify(secret, sent)).toEqual([0, 'genuine']);
	});

	test.each(forged)('refuses %s', (_name, sent) => {
		expect(verify(SECRET, sent())).toEqual([1, 'forged']);
	});
});

describe.each([
	['Node.js', process.execPath, 'receiver.mjs'],
	['Python', 'python3', 'receiver.py'],
])('the receiver in %s', (_language, command, file) => {
	let program: ChildProcess;
	let url: string;
	beforeAll(async () => {
		const env = { ...process.env, WEBHOOK_SECRET: SECRET, PORT: '0' };
		program = spawn(command, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
		const [line] = (await once(createInterface(program.stdout!), 'line')) as [string];
		url = `http://127.0.0.1:${/^Listening on port (\d+)$/.exec(line)?.[1]}`;
	});
	afterAll(async () => {
		program.kill();
		await once(program, 'exit');
	});

	const statusOf = async (sent: Sent) => {
		const { headers, body } = sentAs(sent);
		const given = { ...Object.fromEntries(headers), 'content-type': 'application/json' };
		const posted = { method: 'POST', headers: given, body: new Uint8Array(body) };
		return (await fetch(url, posted)).status;
	};

	test('takes a genuine notification', async () => {
		expect(await statusOf(genuine())).toBe(200);
	});

	test.each([...forged, ['an old one', () => genuine(now(-301))] as const])(
		'refuses %s',
		async (_name, sent) => expect(await statusOf(sent())).toBe(401),
	);

	test('does not start without a secret, with which everybody could sign', () => {
		const env = { ...process.env, WEBHOOK_SECRET: '', PORT: '0' };
		const options = { cwd: folder, env, timeout: 5_000 } as const;
		expect(spawnSync(command, [file], options).status).toBe(1);
	});
});
