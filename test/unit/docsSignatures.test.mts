import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isSignedBy } from '../../nodes/DataCollection/service/signature.ts';
import {
	SECRET,
	signed,
	valueOf,
	withBody,
	withHeader,
	type Delivery,
} from '../support/delivery.mts';
import { send } from '../support/send.mts';
import { codeBlock, codeBlocks, tableRows, textFile } from '../support/markdown.mts';

const PAGE = textFile('docs/verify-signatures.md');
const TIMESTAMP = 'X-SVC-Timestamp';
const SIGNATURE = 'X-SVC-Signature';

/** Moves what precedes the body's first dot into the timestamp: the signed bytes stay the same. */
function withShiftedDot(delivery: Delivery): Delivery {
	const dot = delivery.body.indexOf('.');
	const moved = delivery.body.subarray(0, dot).toString();
	const timestamp = `${valueOf(delivery, TIMESTAMP)}.${moved}`;
	return withBody(withHeader(delivery, TIMESTAMP, timestamp), delivery.body.subarray(dot + 1));
}

const FORGED: Array<[string, () => Delivery]> = [
	['another body', () => withBody(signed(), '{"requestId":"r2"}')],
	['another secret', () => signed({ secret: 'another webhook secret' })],
	['bytes moved from the body into the timestamp', () => withShiftedDot(signed())],
];

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'signatures-'));
	for (const file of ['verify.sh', 'receiver.mjs']) {
		writeFileSync(join(folder, file), codeBlock(PAGE, file));
	}
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every program of the page is run by a test', () => {
	const named = codeBlocks(PAGE).map(({ language, name }) => name || language);
	// `text` is the rule in words, and test/e2e/docs-signatures.test.mts runs the workflow.
	expect(named).toEqual([
		'text',
		'body.json',
		'receiver.mjs',
		'verify.sh',
		'verify-signature.json',
	]);
});

describe('the shell script', () => {
	const verify = (secret: string, delivery: Delivery) => {
		// A file, as on the page: the script may end without reading it.
		writeFileSync(join(folder, 'body.json'), delivery.body);
		const args = [valueOf(delivery, TIMESTAMP), valueOf(delivery, SIGNATURE)];
		const command = ['-c', 'exec sh verify.sh "$@" < body.json', 'sh', ...args];
		const env = { ...process.env, WEBHOOK_SECRET: secret };
		const { status, stdout } = spawnSync('sh', command, { cwd: folder, env, encoding: 'utf8' });
		return [status, stdout.trim()];
	};

	test("takes the example of the page, as the package's own code does", () => {
		const cells = tableRows(PAGE).map(([part = '', value = '']) => [part, value.slice(1, -1)]);
		const shown = Object.fromEntries(cells) as Record<string, string>;
		const { Secret: secret = '', Timestamp: timestamp = '', Signature: signature = '' } = shown;
		const body = Buffer.from(codeBlock(PAGE, 'body.json').replace(/\n$/, ''));
		expect(isSignedBy([secret], { timestamp, signature, body })).toBe(true);
		const headers: Delivery['headers'] = [
			[TIMESTAMP, timestamp],
			[SIGNATURE, signature],
		];
		expect(verify(secret, { headers, body })).toEqual([0, 'genuine']);
	});

	test('takes a time in ISO 8601', () => {
		const delivery = signed({ timestamp: new Date().toISOString() });
		expect(verify(SECRET, delivery)).toEqual([0, 'genuine']);
	});

	test.each(FORGED)('refuses %s', (_what, forged) => {
		expect(verify(SECRET, forged())).toEqual([1, 'forged']);
	});

	test('verifies nothing without a secret', () => {
		const [status, said] = verify('', signed({ secret: '' }));
		expect(status).not.toBe(0);
		expect(said).toBe('');
	});
});

describe('the receiver in Node.js', () => {
	/** Starts it; resolves to its URL, its next lines, and a function that stops it. */
	async function start() {
		const env = { ...process.env, WEBHOOK_SECRET: SECRET, PORT: '0' };
		const program = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env });
		program.stderr.resume();
		const exited = once(program, 'exit');
		const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
		const nextLine = async () => (await lines.next()).value;
		const port = /^Listening on port (\d+)$/.exec((await nextLine()) ?? '')?.[1];
		const stop = async () => {
			program.kill();
			await exited;
		};
		return { url: `http://127.0.0.1:${port}/`, nextLine, stop };
	}

	let receiver: Awaited<ReturnType<typeof start>>;
	beforeAll(async () => {
		receiver = await start();
	});
	afterAll(async () => await receiver.stop());

	const old = () => signed({ timestamp: String(Date.now() - 301_000) });

	test.each<[string, number, () => Delivery]>([
		...FORGED.map(([what, forged]): [string, number, () => Delivery] => [what, 401, forged]),
		['what was signed more than five minutes ago', 401, old],
		['what is signed, but no notification', 400, () => signed({ body: '{"requestId":5}' })],
		['more than 1 MiB', 413, () => signed({ body: ' '.repeat(1024 * 1024 + 1) })],
	])('refuses %s with %i', async (_what, status, refused) => {
		expect(await send(receiver.url, refused())).toMatchObject({ status });
	});

	test('accepts a genuine notification, and has printed nothing about the others', async () => {
		const body = '{ "event": "collection_request.updated", "requestId": "r1", "shareStatus": "ö" }';
		expect(await send(receiver.url, signed({ body }))).toMatchObject({ status: 200 });
		expect(await receiver.nextLine()).toBe('r1 is ö');
	});

	test('does not start without a secret, with which everybody could sign', () => {
		const env = { ...process.env, WEBHOOK_SECRET: '', PORT: '0' };
		const options = { cwd: folder, env, timeout: 5_000 } as const;
		expect(spawnSync(process.execPath, ['receiver.mjs'], options).status).toBe(1);
	});
});
