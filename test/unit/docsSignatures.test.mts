import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSignedBy } from '../../nodes/DataCollection/webhook/signature.ts';
import {
	SECRET,
	sign,
	valueOf,
	withHeader,
	type Delivery,
} from '../../sandbox/deployment/delivery.mts';
import { FORGED, genuine, now, sentAs, type Sent } from '../support/forgeries.mts';
import { codeBlock, codeBlocks, tableRows, textFile } from '../support/markdown.mts';
import { headOf, startReceiver, type Receiver } from '../support/receiver.mts';
import {
	chunkOf,
	endOfChunks,
	lengthOf,
	type HeaderLines,
} from '../../sandbox/deployment/send.mts';

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

describe('the shell script', () => {
	function run(secret: string, args: string[], body: Buffer) {
		// A file, as on the page: the script may end without reading it.
		writeFileSync(join(folder, 'body.json'), body);
		const command = ['-c', 'exec sh verify.sh "$@" < body.json', 'sh', ...args];
		const env = { ...process.env, WEBHOOK_SECRET: secret };
		const options = { cwd: folder, env, encoding: 'utf8' } as const;
		const { status, stdout, error } = spawnSync('sh', command, options);
		if (error) throw error;
		return [status, stdout.trim()];
	}

	const verify = (secret: string, { timestamp, signature, body }: Sent) =>
		run(secret, [timestamp, signature], body);
	const isGenuine = [0, 'genuine'];
	const isForged = [1, 'forged'];

	test("takes the example of the page, as the package's own code does", () => {
		const cells = tableRows(PAGE).map(([part = '', value = '']) => [part, value.slice(1, -1)]);
		const { Secret: secret = '', ...shown } = Object.fromEntries(cells) as Record<string, string>;
		const { Timestamp: timestamp = '', Signature: signature = '' } = shown;
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

const SIGNATURE = 'X-SVC-Signature';
const TIMESTAMP = 'X-SVC-Timestamp';
const MEBIBYTE = 1024 * 1024;
const YEAR = 31_557_600;

const messageOf = (sent: Sent) => withHeader(sentAs(sent), 'Content-Type', 'application/json');
const good = () => messageOf(genuine());
const signedNow = (body: string | Buffer) => messageOf(genuine(now(), Buffer.from(body)));
const signedAt = (seconds: number) => messageOf(genuine(now(seconds)));
const padded = (bytes: number) => signedNow(String(genuine().body).padEnd(bytes - 1));

/** A genuine message, but with these values for a header that it normally has once. */
function withValues(header: string, values: (own: string) => string[]): Delivery {
	const message = good();
	return withHeader(message, header, ...values(valueOf(message, header)));
}

const NOT_NOTIFICATIONS = [
	...['', 'no JSON', '{"requestId":', 'null', '5', '"text"', '[]', '{}', '{"requestId":5}'],
	...['{"requestId":null}', '['.repeat(100_000), '9'.repeat(10_000), Buffer.from([0xff, 0])],
];
const ZEROS = '0'.repeat(64);

type Refused = [what: string, message: () => Delivery, ...statuses: Array<number | undefined>];
const unverified = (what: string, message: () => Delivery): Refused => [what, message, 401];

/** What receivers refuse, and with which statuses; undefined means no response. */
const REFUSED: Refused[] = [
	...FORGED.map(([what, sent]) => unverified(what, () => messageOf(sent()))),
	...[TIMESTAMP, SIGNATURE].flatMap((name) => [
		unverified(`no ${name}`, () => withValues(name, () => [])),
		unverified(`${name} twice`, () => withValues(name, (own) => [own, own])),
		unverified(`another ${name} before it`, () => withValues(name, (own) => [ZEROS, own])),
		unverified(`another ${name} after it`, () => withValues(name, (own) => [own, ZEROS])),
		unverified(`an empty ${name} after it`, () => withValues(name, (own) => [own, ''])),
	]),
	unverified('neither of them', () => ({ ...good(), headers: good().headers.slice(-1) })),
	...[-301, 310, -10 * YEAR, 10 * YEAR, -30 * YEAR, 30 * YEAR].map((seconds) =>
		unverified(`signed at ${seconds} s`, () => signedAt(seconds)),
	),
	...NOT_NOTIFICATIONS.map((body): Refused => {
		const shown = String(body).slice(0, 20);
		return [`signed, though no notification: "${shown}"`, () => signedNow(body), 400];
	}),
	['a mebibyte and one byte', () => padded(MEBIBYTE + 1), 413, undefined],
];

/** What replaces Content-Length; a body follows in any case. */
const LENGTHS: Array<[string, HeaderLines]> = [
	['none', []],
	['a negative one', [['Content-Length', '-1']]],
	['one that is no number', [['Content-Length', 'many']]],
	['an empty one', [['Content-Length', '']]],
	['one that is too large', [['Content-Length', String(MEBIBYTE + 1)]]],
	['one of 5,000 digits', [['Content-Length', '9'.repeat(5000)]]],
	['two that differ', [['Content-Length', '10'], lengthOf(good())]],
	['chunks that are none', [['Transfer-Encoding', 'chunked']]],
];

describe.each([
	['Node.js', process.execPath, 'receiver.mjs'],
	['Python', 'python3', 'receiver.py'],
])('the receiver in %s', (_language, command, file) => {
	let receiver: Receiver;

	beforeAll(async () => {
		receiver = await startReceiver(command, file, { cwd: folder, secret: SECRET });
	});
	afterAll(async () => await receiver.stop());

	/** Also shows that nothing was printed before, as that would come first. */
	const takes = async (message = good()) => {
		expect(await receiver.post(message)).toBe(200);
		expect(await receiver.nextLine()).toBe('r1 is cömpleted');
	};

	test.each([
		['timed in seconds', () => messageOf(genuine(now().slice(0, 10)))],
		['timed in milliseconds', good],
		['timed in microseconds', () => messageOf(genuine(`${now()}123`))],
		['timed in nanoseconds', () => messageOf(genuine(`${now()}123456`))],
		['signed 150 s ago', () => signedAt(-150)],
		['signed 155 s ahead', () => signedAt(155)],
		['of a mebibyte', () => padded(MEBIBYTE)],
	])('accepts a genuine notification %s and says what it holds', async (_what, message) => {
		await takes(message());
	});

	test.each(REFUSED)('refuses %s', async (_what, message, ...statuses) => {
		expect(statuses).toContain(await receiver.post(message()));
		await takes();
	});

	test('survives a status that is no text', async () => {
		await receiver.post(signedNow('{"requestId":"r1","shareStatus":{"toString":1,"valueOf":1}}'));
		expect(await receiver.post(good())).toBe(200);
		for (let line = ''; line !== 'r1 is cömpleted'; ) line = await receiver.nextLine();
	});

	test.each([
		['closes', (socket: Socket) => socket.destroy()],
		['resets', (socket: Socket) => socket.resetAndDestroy()],
	])('survives a sender that %s the connection in the middle', async (_how, end) => {
		const { headers, body } = good();
		const head = headOf([lengthOf({ headers, body }), ...headers]);
		for (const part of [head.subarray(0, 20), head, Buffer.concat([head, body.subarray(0, 40)])]) {
			const socket = await receiver.open(part);
			await takes();
			end(socket);
			await takes();
		}
	});

	test.each(LENGTHS)('refuses as Content-Length %s', async (_which, lines) => {
		const { headers, body } = good();
		const { status = 400 } = await receiver.exchange([headOf([...lines, ...headers]), body]);
		expect(status).toBeGreaterThanOrEqual(400);
		expect(status).toBeLessThan(500);
		await takes();
	});

	test('refuses a signature after the body', async () => {
		const { headers, body } = withValues(SIGNATURE, () => []);
		const head = headOf([['Transfer-Encoding', 'chunked'], ...headers]);
		const trailer = endOfChunks([[SIGNATURE, genuine().signature]]);
		const { status } = await receiver.exchange([head, chunkOf(body), trailer]);
		expect([401, 411, undefined]).toContain(status);
		await takes();
	});

	test.each<[string, HeaderLines[number], (bytes: Buffer) => Buffer]>([
		['with its length', ['Content-Length', String(64 * MEBIBYTE)], (bytes) => bytes],
		['in chunks', ['Transfer-Encoding', 'chunked'], chunkOf],
	])('refuses 64 MiB %s before it has all of them', async (_how, line, framed) => {
		const pieces = Array<Buffer>(1024).fill(framed(Buffer.alloc(64 * 1024)));
		const head = headOf([line, ...good().headers]);
		const { status, written } = await receiver.exchange([head, ...pieces]);
		// A sender that is still writing may miss the response.
		expect([400, 411, 413, undefined]).toContain(status);
		expect(written).toBeLessThan(32 * MEBIBYTE);
		await takes();
	});

	test('does not start without a secret, with which everybody could sign', () => {
		const env = { ...process.env, WEBHOOK_SECRET: '', PORT: '0' };
		const options = { cwd: folder, env, timeout: 5_000 } as const;
		expect(spawnSync(command, [file], options).status).toBe(1);
	});
});
