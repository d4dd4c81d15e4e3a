import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSignedBy } from '../../nodes/DataCollection/webhook/signature.ts';
import { SECRET, sign, valueOf, withHeader, type Delivery } from '../support/delivery.mts';
import { FORGED, genuine, now, sentAs, utc, type Sent } from '../support/forgeries.mts';
import { codeBlock, codeBlocks, tableRows, textFile } from '../support/markdown.mts';
import { headOf, startReceiver, type Receiver } from '../support/receiver.mts';
import { chunkOf, endOfChunks, lengthOf, type HeaderLines } from '../support/send.mts';

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

	test.each(['2026-11-21T10:20:30Z', utc()])('takes a time in ISO 8601: %s', (timestamp) => {
		expect(verify(SECRET, genuine(timestamp))).toEqual(isGenuine);
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
const ZEROS = '0'.repeat(64);

/** A request with these headers, written as it is: the length is right unless other lines replace it. */
const written = ({ headers, body }: Delivery, length = [lengthOf({ headers, body })]): Buffer[] => [
	headOf([...length, ...headers]),
	body,
];
const good = (sent = genuine()) => withHeader(sentAs(sent), 'Content-Type', 'application/json');
const signed = (body: string | Buffer) => good(genuine(now(), Buffer.from(body)));
const signedAt = (seconds: number) => good(genuine(now(seconds)));
const padded = (bytes: number) => signed(String(genuine().body).padEnd(bytes - 1));

/** A genuine request, but with these values for a header that it normally has once. */
function withValues(header: string, values: (own: string) => string[]): Delivery {
	return withHeader(good(), header, ...values(valueOf(good(), header)));
}

/** A genuine request whose body comes in chunks, followed by a header. */
function withTrailer(headers: Delivery['headers'], trailer: HeaderLines): Buffer[] {
	const chunked: HeaderLines[number] = ['Transfer-Encoding', 'chunked'];
	return [headOf([chunked, ...headers]), chunkOf(good().body), endOfChunks(trailer)];
}

/** 64 MiB, in the pieces in which it is sent. */
const large = (framed: (piece: Buffer) => Buffer) =>
	Array<Buffer>(1024).fill(framed(Buffer.alloc(64 * 1024)));
const lengths = (...lines: HeaderLines) => written(good(), lines);

/** What is sent, and the statuses that may come back; undefined means no response. */
type Refused = [what: string, sent: () => Buffer[], statuses: Array<number | undefined>];
const ANY_REFUSAL = [400, 401, 411, 413, undefined];
/** A sender that is still writing may miss the response. */
const TOO_LARGE = [400, 411, 413, undefined];

const REFUSED: Refused[] = [
	...FORGED.map(([what, sent]): Refused => [what, () => written(good(sent())), [401]]),
	...[TIMESTAMP, SIGNATURE].flatMap((name): Refused[] => [
		[`no ${name}`, () => written(withValues(name, () => [])), [401]],
		[`${name} twice`, () => written(withValues(name, (own) => [own, own])), [401]],
		[`another ${name} first`, () => written(withValues(name, (own) => [ZEROS, own])), [401]],
	]),
	...[-301, 310].flatMap((seconds): Refused[] => [
		[`signed at ${seconds} s`, () => written(signedAt(seconds)), [401]],
		[`signed at ${seconds} s in ISO 8601`, () => written(good(genuine(utc(seconds)))), [401]],
	]),
	[
		'a time that there is not, though signed',
		() => written(good(genuine(utc().replace(/T../, 'T25')))),
		[401],
	],
	...[
		...[
			'',
			'no JSON',
			'null',
			'[]',
			'{"requestId":5}',
			'['.repeat(100_000),
			Buffer.from([0xff, 0]),
		],
	].map((body): Refused => {
		const shown = String(body).slice(0, 20);
		return [`signed, but no notification: ${shown}`, () => written(signed(body)), [400]];
	}),
	['a mebibyte and one byte', () => written(padded(MEBIBYTE + 1)), [413, undefined]],
	['no length', () => lengths(), ANY_REFUSAL],
	['a negative length', () => lengths(['Content-Length', '-1']), ANY_REFUSAL],
	['chunks that are none', () => lengths(['Transfer-Encoding', 'chunked']), ANY_REFUSAL],
	[
		'a signature after the body',
		() => withTrailer(withValues(SIGNATURE, () => []).headers, [[SIGNATURE, genuine().signature]]),
		[401, 411, undefined],
	],
	[
		'64 MiB, before all of it has arrived',
		() => [
			headOf([['Content-Length', String(64 * MEBIBYTE)], ...good().headers]),
			...large((piece) => piece),
		],
		TOO_LARGE,
	],
	[
		'64 MiB in chunks, before all of it has arrived',
		() => [headOf([['Transfer-Encoding', 'chunked'], ...good().headers]), ...large(chunkOf)],
		TOO_LARGE,
	],
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
		expect((await receiver.exchange(written(message))).status).toBe(200);
		expect(await receiver.nextLine()).toBe('r1 is cömpleted');
	};

	test.each([
		['timed in seconds', () => good(genuine(now().slice(0, 10)))],
		['timed in milliseconds', () => good()],
		['timed in microseconds', () => good(genuine(`${now()}123`))],
		['timed in nanoseconds', () => good(genuine(`${now()}123456`))],
		['timed in ISO 8601', () => good(genuine(utc()))],
		['timed in ISO 8601 without a fraction', () => good(genuine(utc().replace(/\.\d+/, '')))],
		['timed in ISO 8601, 150 s ago', () => good(genuine(utc(-150)))],
		['signed 150 s ago', () => signedAt(-150)],
		['signed 155 s ahead', () => signedAt(155)],
		['of a mebibyte', () => padded(MEBIBYTE)],
	])('accepts a genuine notification %s and says what it holds', async (_what, message) => {
		await takes(message());
	});

	test.each(REFUSED)('refuses %s, and then takes a genuine one', async (_what, sent, statuses) => {
		const { status, written: bytes } = await receiver.exchange(sent());
		expect(statuses).toContain(status);
		expect(bytes).toBeLessThan(32 * MEBIBYTE);
		await takes();
	});

	test.each([
		['closes', (socket: Socket) => socket.destroy()],
		['resets', (socket: Socket) => socket.resetAndDestroy()],
	])('survives a sender that %s the connection in the middle', async (_how, end) => {
		const [head = Buffer.of(), body = Buffer.of()] = written(good());
		for (const part of [head.subarray(0, 20), head, Buffer.concat([head, body.subarray(0, 40)])]) {
			const socket = await receiver.open(part);
			await takes();
			end(socket);
			await takes();
		}
	});

	test('does not start without a secret, with which everybody could sign', () => {
		const env = { ...process.env, WEBHOOK_SECRET: '', PORT: '0' };
		const options = { cwd: folder, env, timeout: 5_000 } as const;
		expect(spawnSync(command, [file], options).status).toBe(1);
	});
});
