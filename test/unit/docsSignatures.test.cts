import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expectedSignature } from '../../nodes/DataCollection/shared/signature';
import { codeBlock, codeBlocks, tableRows, textFile } from '../support/markdown.cts';

const PAGE = textFile('docs/verify-signatures.md');
const EXAMPLE = new Map(
	tableRows(PAGE).map(([part = '', value = '']) => [part, value.slice(1, -1)]),
);
const exampleOf = (part: string) => EXAMPLE.get(part) ?? '';
const EXAMPLE_BODY = codeBlock(PAGE, 'body.json').replace(/\n$/, '');

const SECRET = 'the secret of these tests: ünïcode & "quotes"';
const BODY = Buffer.from(
	'{ "event": "collection_request.updated", "requestId": "r1", "shareStatus": "cömpleted" }',
);

const sign = (secret: string, timestamp: string, body: Buffer) =>
	createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** Milliseconds since 1970, moved by so many seconds. */
const now = (seconds = 0) => String(Date.now() + seconds * 1000);

interface Sent {
	timestamp: string;
	signature: string;
	body: Buffer;
}

const genuine = (timestamp = now(), body = BODY): Sent => ({
	timestamp,
	signature: sign(SECRET, timestamp, body),
	body,
});

const FORGED: Array<[string, () => Sent]> = [
	['another body', () => ({ ...genuine(), body: Buffer.from('{"requestId":"r2"}') })],
	['a space less', () => ({ ...genuine(), body: Buffer.from(String(BODY).replace('{ ', '{')) })],
	['another timestamp', () => ({ ...genuine(), timestamp: now(-1) })],
	['another secret', () => ({ ...genuine(), signature: sign('other', now(), BODY) })],
	['no signature', () => ({ ...genuine(), signature: '' })],
	['half a signature', () => ({ ...genuine(), signature: genuine().signature.slice(0, 32) })],
];

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'signatures-'));
	for (const { name, code } of codeBlocks(PAGE)) if (name) writeFileSync(join(folder, name), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every block is run by a test', () => {
	const named = codeBlocks(PAGE).map(({ language, name }) => name || language);
	// The workflow is run by test/e2e/docs-signatures.test.mts; `text` is the rule in words.
	const blocks = ['body.json', 'verify.sh', 'receiver.mjs', 'receiver.py', 'verify-signature.json'];
	expect(named).toEqual(['text', ...blocks]);
});

test("the example of the page is what the package's own code computes", () => {
	const body = Buffer.from(EXAMPLE_BODY);
	const signature = expectedSignature(exampleOf('Secret'), exampleOf('Timestamp'), body);
	expect(exampleOf('Signature')).toBe(signature);
});

describe('the shell script', () => {
	function verify(secret: string, { timestamp, signature, body }: Sent) {
		const { status, stdout, error } = spawnSync('sh', ['verify.sh', timestamp, signature], {
			cwd: folder,
			input: body,
			env: { ...process.env, WEBHOOK_SECRET: secret },
			encoding: 'utf8',
		});
		if (error) throw error;
		return [status, stdout.trim()];
	}

	test('takes the example of the page', () => {
		const sent = {
			timestamp: exampleOf('Timestamp'),
			signature: exampleOf('Signature'),
			body: Buffer.from(EXAMPLE_BODY),
		};
		expect(verify(exampleOf('Secret'), sent)).toEqual([0, 'genuine']);
		expect(verify(`${exampleOf('Secret')}!`, sent)).toEqual([1, 'forged']);
	});

	test('takes bytes that are no text, and what was signed long ago', () => {
		const bytes = Buffer.from([0, 0x22, 0xff, 0xfe, 0x0a]);
		expect(verify(SECRET, genuine('1763719230', bytes))).toEqual([0, 'genuine']);
	});

	test.each(FORGED)('refuses %s', (_name, sent) => {
		expect(verify(SECRET, sent())).toEqual([1, 'forged']);
	});
});

describe.each([
	['Node.js', process.execPath, 'receiver.mjs'],
	['Python', 'python3', 'receiver.py'],
])('the receiver in %s', (_language, command, file) => {
	let stop: () => Promise<void>;
	let post: (sent: Sent) => Promise<number>;
	let nextLine: () => Promise<string>;

	beforeAll(async () => {
		const env = { ...process.env, WEBHOOK_SECRET: SECRET, PORT: '0' };
		const receiver = spawn(command, [file], {
			cwd: folder,
			env,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const exited = once(receiver, 'exit');
		stop = async () => {
			receiver.kill();
			await exited;
		};
		const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
		nextLine = async () => {
			const { value } = (await lines.next()) as { value?: string };
			if (value === undefined) throw new Error(`${command} ${file} ended`);
			return value;
		};
		const port = /^Listening on port (\d+)$/.exec(await nextLine())?.[1];
		post = async ({ timestamp, signature, body }) => {
			const headers = { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature };
			const call = { method: 'POST', headers, body: new Uint8Array(body) };
			return (await fetch(`http://127.0.0.1:${port}/`, call)).status;
		};
	});
	afterAll(async () => await stop());

	test.each([
		['seconds', (ms: string) => ms.slice(0, 10)],
		['milliseconds', (ms: string) => ms],
		['microseconds', (ms: string) => `${ms}123`],
		['nanoseconds', (ms: string) => `${ms}123456`],
	])('accepts a genuine notification timed in %s and says what it holds', async (_unit, digits) => {
		expect(await post(genuine(digits(now())))).toBe(200);
		expect(await nextLine()).toBe('r1 is cömpleted');
	});

	test.each(FORGED)('refuses %s', async (_name, sent) => {
		expect(await post(sent())).toBe(401);
	});

	test.each([-301, 310])('refuses what was signed %i seconds from now', async (seconds) => {
		expect(await post(genuine(now(seconds)))).toBe(401);
		expect(await post(genuine(now(seconds / 2)))).toBe(200);
		await nextLine();
	});

	test('refuses a time that is no number, though signed', async () => {
		expect(await post(genuine('2026-01-01T00:00:00Z'))).toBe(401);
	});
});
