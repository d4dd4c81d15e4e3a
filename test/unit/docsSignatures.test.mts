import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSignedBy } from '../../nodes/DataCollection/webhook/signature.ts';
import { FORGED, SECRET, genuine, sign, type Sent } from '../engine/support/forgeries.mts';
import { codeBlock, codeBlocks, tableRows, textFile } from '../engine/support/markdown.mts';

const PAGE = textFile('docs/verify-signatures.md');

test('every block is run by a test', () => {
	const named = codeBlocks(PAGE).map(({ language, name }) => name || language);
	// docsReceivers.test.mts runs the receivers, test/e2e/docs-signatures.test.mts the workflow;
	// `text` is the rule in words.
	const blocks = ['body.json', 'verify.sh', 'receiver.mjs', 'receiver.py', 'verify-signature.json'];
	expect(named).toEqual(['text', ...blocks]);
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
		return [status, stdout.trim()];
	}

	const verify = (secret: string, { timestamp, signature, body }: Sent) =>
		run(secret, [timestamp, signature], body);
	const isGenuine = [0, 'genuine'];
	const isForged = [1, 'forged'];

	test("takes the example of the page, as the package's own code does", () => {
		const cells = tableRows(PAGE).map(([part = '', value = '']) => [part, value.slice(1, -1)]);
		const {
			Secret: secret = '',
			Timestamp: timestamp = '',
			Signature: signature = '',
		} = Object.fromEntries(cells) as Record<string, string>;
		const body = Buffer.from(codeBlock(PAGE, 'body.json').replace(/\n$/, ''));
		const sent = { timestamp, signature, body };
		expect(isSignedBy([secret], sent)).toBe(true);
		expect(verify(secret, sent)).toEqual(isGenuine);
		expect(verify(`${secret}!`, sent)).toEqual(isForged);
	});

	test.each([
		['bytes that are no text', Buffer.from([0, 0x22, 0xff, 0xfe, 0x0a])],
		['many megabytes', Buffer.alloc(30_000_000)],
	])('takes %s, signed long ago', (_what, body) => {
		expect(verify(SECRET, genuine('1763719230', body))).toEqual(isGenuine);
	});

	test.each(FORGED)('refuses %s', (_name, sent) => {
		expect(verify(SECRET, sent())).toEqual(isForged);
	});

	test('verifies nothing without a secret, a timestamp and a signature', () => {
		const { timestamp, body } = genuine();
		const unlocked = { timestamp, signature: sign('', timestamp, body), body };
		for (const [status, said] of [
			verify('', unlocked),
			run(SECRET, [], body),
			run(SECRET, [timestamp], body),
		]) {
			expect(status).not.toBe(0);
			expect(said).toBe('');
		}
	});
});
