import { getEventListeners, once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { signed } from '../support/delivery.mts';
import { runAction, runError, stopExecution } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, startFaultServer, text } from './support/faultServer.mts';
import { BOTH, READ } from './support/operations.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const MEBIBYTE = 1024 * 1024;

/** Answers like this, and keeps what resolves when the node has closed the connection. */
function watched(answer: Answer) {
	const closed: Array<Promise<unknown>> = [];
	const watching: Answer = (response, ...rest) => {
		closed.push(once(response, 'close'));
		answer(response, ...rest);
	};
	return { answer: watching, closed };
}

/** Sends a body for as long as somebody takes it, and counts what has left. */
function endless(status: number) {
	const sent = { bytes: 0 };
	const block = Buffer.alloc(64 * 1024, ' ');
	const { answer, closed } = watched((response) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		const write = () => {
			while (!response.destroyed) {
				sent.bytes += block.length;
				if (!response.write(block)) return void response.once('drain', write);
			}
		};
		write();
	});
	return { sent, answer, closed };
}

const begin: Answer = (response) => void response.writeHead(200).write('{"_id":');

describe.each(BOTH)('a %s that is given up closes its connection', (_name, operation) => {
	const { parameters, attempts } = operation;
	const time = useVirtualTime();

	test.each<[string, Answer]>([
		['before the headers', () => {}],
		['in the body', begin],
	])('%s', async (_title, hang) => {
		const { answer, closed } = watched((...received) => {
			hang(...received);
			setTimeout(() => time.advance(30_000), 20);
		});
		const { message } = await runError({ parameters, answer });
		expect(message).toMatch(/^The service did not respond in time/);
		expect(closed).toHaveLength(attempts);
		await Promise.all(closed);
	});

	test('when the execution is cancelled', async () => {
		const { answer, closed } = watched((...received) => {
			begin(...received);
			setTimeout(stopExecution, 20);
		});
		await runAction({ parameters, answer });
		expect(closed).toHaveLength(1);
		await Promise.all(closed);
	});
});

test('a read that a trigger has given up closes its connection, although its body goes on', async () => {
	let giveUp = () => {};
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const expiry = new AbortController();
		giveUp = () => expiry.abort();
		return expiry.signal;
	});
	const { answer, closed } = watched((response, ...rest) => {
		let bytes = 0;
		const trickling = setInterval(() => {
			response.write(' ');
			if ((bytes += 1) === 5) giveUp();
		}, 5);
		response.once('close', () => clearInterval(trickling));
		begin(response, ...rest);
	});
	const { url } = await startFaultServer(answer);
	const host = await startTriggerHost({
		parameters: { options: { include: ['collectionRequest'] } },
		credential: { productionBaseUrl: url },
	});
	expect(await host.post(signed())).toBe('200 accepted');
	expect(host.started[0]?.includeError).toMatch(/^The service did not respond in time/);
	expect(closed.length).toBeGreaterThanOrEqual(1);
	await Promise.all(closed);
	timeout.mockRestore();
});

/** 256 MiB when unpacked; packed in the quickest way, as this takes the machine most of the time. */
const bomb = gzipSync(Buffer.alloc(256 * MEBIBYTE), { level: 1 });

describe.each(BOTH)('a %s whose response is larger than 64 MiB', (_name, { parameters, doubt }) => {
	const message = `The service sent a response larger than 64 MiB (HTTP 200)${doubt}`;

	test('is refused, read no further and not tried again', async () => {
		const { sent, answer, closed } = endless(200);
		expect(await runError({ parameters, answer })).toMatchObject({ message, sent: 1 });
		await Promise.all(closed);
		expect(sent.bytes).toBeLessThan(96 * MEBIBYTE);
	});

	test('closes its connection, although nothing more comes', async () => {
		const { answer, closed } = watched((response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.write(Buffer.alloc(64 * MEBIBYTE + 1, ' '));
		});
		expect((await runError({ parameters, answer })).message).toBe(message);
		await Promise.all(closed);
	});

	test('is refused when it is small as long as it is packed', async () => {
		expect(bomb.length).toBeLessThan(2 * MEBIBYTE);
		const answer = text(200, bomb, { 'content-encoding': 'gzip' });
		const before = process.memoryUsage().arrayBuffers;
		const error = await runError({ parameters, answer });
		expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(192 * MEBIBYTE);
		expect(error).toMatchObject({ message, sent: 1 });
	});

	test('but is a refusal is one: its status says enough', async () => {
		const { answer, closed } = endless(422);
		const error = await runError({ parameters, answer });
		expect(error.message).toBe('The service refused the request (HTTP 422)');
		await Promise.all(closed);
	});
});

test('nothing listens to a timeout any more once its response has come', async () => {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	const input = Array.from({ length: 20 }, () => ({}));
	await runAction({ parameters: READ, answer: json(200, { _id: '1' }), input });
	const signals = timeout.mock.results.map(({ value }) => value as AbortSignal);
	timeout.mockRestore();
	expect(signals).toHaveLength(20);
	expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
});
