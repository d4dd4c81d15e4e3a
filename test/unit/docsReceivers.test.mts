import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORGED, SECRET, genuine, now, type Sent } from '../engine/support/forgeries.mts';
import { codeBlock, textFile } from '../engine/support/markdown.mts';
import {
	headOf,
	lengthOf,
	startReceiver,
	type Message,
	type Receiver,
} from '../engine/support/receiver.mts';

const PAGE = textFile('docs/verify-signatures.md');
const SIGNATURE = 'X-SVC-Signature';
const TIMESTAMP = 'X-SVC-Timestamp';
const MEBIBYTE = 1024 * 1024;

const messageOf = ({ timestamp, signature, body }: Sent): Message => ({
	headers: [
		['Content-Type', 'application/json'],
		[TIMESTAMP, timestamp],
		[SIGNATURE, signature],
	],
	body,
});
const good = () => messageOf(genuine());

const without = ({ headers, body }: Message, unwanted: string): Message => ({
	headers: headers.filter(([name]) => name !== unwanted),
	body,
});

/** The message with another line for this header before or after its own. */
function doubled(name: string, value: string | undefined, isFirst: boolean): Message {
	const { headers, body } = good();
	const own = headers.find((header) => header[0] === name)?.[1] ?? '';
	const line: [string, string] = [name, value ?? own];
	return { headers: isFirst ? [line, ...headers] : [...headers, line], body };
}

const ODD_HEADERS: Array<[string, () => Message]> = [
	['no timestamp', () => without(good(), TIMESTAMP)],
	['no signature', () => without(good(), SIGNATURE)],
	['neither', () => without(without(good(), SIGNATURE), TIMESTAMP)],
	...[TIMESTAMP, SIGNATURE].flatMap(
		(name): Array<[string, () => Message]> => [
			[`${name} twice`, () => doubled(name, undefined, false)],
			[`another ${name} before it`, () => doubled(name, '0'.repeat(64), true)],
			[`another ${name} after it`, () => doubled(name, '0'.repeat(64), false)],
			[`an empty ${name} after it`, () => doubled(name, '', false)],
		],
	),
];

const NOT_NOTIFICATIONS = [
	...['', 'no JSON', '{"requestId":', 'null', '5', '"text"', '[]', '{}', '{"requestId":5}'],
	...['{"requestId":null}', '['.repeat(100_000), '9'.repeat(10_000), Buffer.from([0xff, 0])],
];

/** What stands in place of Content-Length; a body follows all the same. */
const LENGTHS: Array<[string, Message['headers']]> = [
	['none', []],
	['a negative one', [['Content-Length', '-1']]],
	['one that is no number', [['Content-Length', 'many']]],
	['an empty one', [['Content-Length', '']]],
	['one that is too large', [['Content-Length', String(MEBIBYTE + 1)]]],
	['one of 5,000 digits', [['Content-Length', '9'.repeat(5000)]]],
	['two that differ', [['Content-Length', '10'], lengthOf(good())]],
	['chunks that are none', [['Transfer-Encoding', 'chunked']]],
];

const chunk = (bytes: Buffer) =>
	Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

describe.each([
	['Node.js', process.execPath, 'receiver.mjs'],
	['Python', 'python3', 'receiver.py'],
])('the receiver in %s', (_language, command, file) => {
	let folder: string;
	let receiver: Receiver;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'receivers-'));
		writeFileSync(join(folder, file), codeBlock(PAGE, file));
		receiver = await startReceiver(command, file, { cwd: folder, secret: SECRET });
	});
	afterAll(async () => {
		await receiver.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	/** Nothing else was printed before either, or it would come first. */
	const takes = async (message = good()) => {
		expect(await receiver.post(message)).toBe(200);
		expect(await receiver.nextLine()).toBe('r1 is cömpleted');
	};

	test.each([
		['seconds', (ms: string) => ms.slice(0, 10)],
		['milliseconds', (ms: string) => ms],
		['microseconds', (ms: string) => `${ms}123`],
		['nanoseconds', (ms: string) => `${ms}123456`],
	])('accepts a genuine notification timed in %s and says what it holds', async (_unit, digits) => {
		await takes(messageOf(genuine(digits(now()))));
	});

	test.each(FORGED)('refuses %s', async (_name, sent) => {
		expect(await receiver.post(messageOf(sent()))).toBe(401);
		await takes();
	});

	test.each(ODD_HEADERS)('refuses %s', async (_name, message) => {
		expect(await receiver.post(message())).toBe(401);
		await takes();
	});

	test.each([-301, 310])('refuses what was signed %i seconds from now', async (seconds) => {
		expect(await receiver.post(messageOf(genuine(now(seconds))))).toBe(401);
		await takes(messageOf(genuine(now(seconds / 2))));
	});

	test.each([10, 30])('refuses what was signed %i years ago or ahead', async (years) => {
		for (const seconds of [-years * 31_557_600, years * 31_557_600]) {
			expect(await receiver.post(messageOf(genuine(now(seconds))))).toBe(401);
		}
	});

	test('refuses what is signed and no notification', async () => {
		for (const body of NOT_NOTIFICATIONS) {
			expect(await receiver.post(messageOf(genuine(now(), Buffer.from(body))))).toBe(400);
			await takes();
		}
	});

	test('survives a status that is no text', async () => {
		const body = Buffer.from('{"requestId":"r1","shareStatus":{"toString":1,"valueOf":1}}');
		await receiver.post(messageOf(genuine(now(), body)));
		const next = messageOf(genuine());
		expect(await receiver.post(next)).toBe(200);
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
		const { headers, body } = without(good(), SIGNATURE);
		const head = headOf([['Transfer-Encoding', 'chunked'], ...headers]);
		const trailer = Buffer.from(`0\r\n${SIGNATURE}: ${genuine().signature}\r\n\r\n`);
		const { status } = await receiver.exchange([head, chunk(body), trailer]);
		expect([401, 411, undefined]).toContain(status);
		await takes();
	});

	test('accepts a mebibyte and not one byte more', async () => {
		const padded = (bytes: number) => Buffer.from(String(genuine().body).padEnd(bytes - 1));
		await takes(messageOf(genuine(now(), padded(MEBIBYTE))));
		const { headers, body } = messageOf(genuine(now(), padded(MEBIBYTE + 1)));
		expect([413, undefined]).toContain(await receiver.post({ headers, body }));
		await takes();
	});

	test.each([
		['with its length', [['Content-Length', String(64 * MEBIBYTE)]], (bytes: Buffer) => bytes],
		['in chunks', [['Transfer-Encoding', 'chunked']], chunk],
	] as Array<[string, Message['headers'], typeof chunk]>)(
		'refuses 64 MiB %s before it has all of them',
		async (_how, lines, framed) => {
			const piece = framed(Buffer.alloc(64 * 1024));
			const pieces = Array<Buffer>(1024).fill(piece);
			const { status, written } = await receiver.exchange([
				headOf([...lines, ...good().headers]),
				...pieces,
			]);
			// A sender that still writes may miss the response.
			expect([400, 411, 413, undefined]).toContain(status);
			expect(written).toBeLessThan(32 * MEBIBYTE);
			await takes();
		},
	);

	test('does not start without a secret, with which everybody could sign', () => {
		const env = { ...process.env, WEBHOOK_SECRET: '', PORT: '0' };
		const options = { cwd: folder, env, timeout: 5_000 } as const;
		expect(spawnSync(command, [file], options).status).toBe(1);
	});
});
