import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSignedBy } from '../../nodes/DataCollection/webhook/signature.ts';
import { FORGED, SECRET, genuine, sign, type Sent } from '../engine/support/forgeries.mts';
import { codeBlock, codeBlocks, tableRows, textFile } from '../engine/support/markdown.mts';

const PAGE = textFile('docs/verify-signatures.md');
const EXAMPLE = new Map(
	tableRows(PAGE).map(([part = '', value = '']) => [part, value.slice(1, -1)]),
);
const exampleOf = (part: string) => EXAMPLE.get(part) ?? '';
const EXAMPLE_BODY = codeBlock(PAGE, 'body.json').replace(/\n$/, '');

test('every block is run by a test', () => {
	const named = codeBlocks(PAGE).map(({ language, name }) => name || language);
	// docsReceivers.test.mts runs the receivers, test/e2e/docs-signatures.test.mts the workflow;
	// `text` is the rule in words.
	const blocks = ['body.json', 'verify.sh', 'receiver.mjs', 'receiver.py', 'verify-signature.json'];
	expect(named).toEqual(['text', ...blocks]);
});

test("the example of the page is what the package's own code takes", () => {
	const [timestamp, signature] = [exampleOf('Timestamp'), exampleOf('Signature')];
	const body = Buffer.from(EXAMPLE_BODY);
	expect(isSignedBy([exampleOf('Secret')], { timestamp, body, signature })).toBe(true);
});

describe('the shell script', () => {
	let folder: string;
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'signatures-'));
		writeFileSync(join(folder, 'verify.sh'), codeBlock(PAGE, 'verify.sh'));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	function run(secret: string, args: string[], body: Buffer) {
		// A file, as on the page: the script may end without having read it.
		writeFileSync(join(folder, 'body.json'), body);
		const command = ['-c', 'exec sh verify.sh "$@" < body.json', 'sh', ...args];
		const env = { ...process.env, WEBHOOK_SECRET: secret };
		const { status, stdout, error } = spawnSync('sh', command, {
			...{ cwd: folder, env, encoding: 'utf8' },
		});
		if (error) throw error;
		return { status, said: stdout.trim() };
	}

	const verify = (secret: string, { timestamp, signature, body }: Sent) =>
		run(secret, [timestamp, signature], body);

	const isGenuine = { status: 0, said: 'genuine' };
	const isForged = { status: 1, said: 'forged' };

	test('takes the example of the page', () => {
		const sent = {
			timestamp: exampleOf('Timestamp'),
			signature: exampleOf('Signature'),
			body: Buffer.from(EXAMPLE_BODY),
		};
		expect(verify(exampleOf('Secret'), sent)).toEqual(isGenuine);
		expect(verify(`${exampleOf('Secret')}!`, sent)).toEqual(isForged);
	});

	test('takes bytes that are no text, and what was signed long ago', () => {
		const bytes = Buffer.from([0, 0x22, 0xff, 0xfe, 0x0a]);
		expect(verify(SECRET, genuine('1763719230', bytes))).toEqual(isGenuine);
	});

	test('takes a body of many megabytes', () => {
		expect(verify(SECRET, genuine('1763719230', Buffer.alloc(30_000_000)))).toEqual(isGenuine);
	});

	test.each(FORGED)('refuses %s', (_name, sent) => {
		expect(verify(SECRET, sent())).toEqual(isForged);
	});

	test('verifies nothing without a secret, a timestamp and a signature', () => {
		const { timestamp, body } = genuine();
		const unlocked = { timestamp, signature: sign('', timestamp, body), body };
		for (const { status, said } of [
			verify('', unlocked),
			run(SECRET, [], body),
			run(SECRET, [timestamp], body),
		]) {
			expect(status).not.toBe(0);
			expect(said).toBe('');
		}
	});
});
