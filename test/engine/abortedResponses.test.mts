import { getEventListeners, once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { selfSigned } from './support/certificate.mts';
import { delivery, notification } from './support/delivery.mts';
import { runAction, runError, runOk } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, withFaultServer } from './support/faultServer.mts';
import { actionAt, BOTH } from './support/operations.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const MEBIBYTE = 1024 * 1024;
const MAY_EXIST = 'The collection request may exist all the same';

/** Sends a body for as long as somebody takes it, and counts what has left. */
function endless(status = 200) {
	const sent = { bytes: 0, closed: [] as Array<Promise<unknown>> };
	const block = Buffer.alloc(64 * 1024, ' ');
	const answer: Answer = (response) => {
		sent.closed.push(once(response, 'close'));
		response.writeHead(status, { 'content-type': 'application/json' });
		const write = () => {
			while (!response.destroyed) {
				sent.bytes += block.length;
				if (!response.write(block)) return void response.once('drain', write);
			}
		};
		write();
	};
	return { sent, answer };
}

describe.each(BOTH)('a %s that is given up closes its connection', (operation) => {
	const time = useVirtualTime();
	const attempts = operation === 'create' ? 1 : 3;

	test.each<[string, (response: ServerResponse) => void]>([
		['before the headers', () => {}],
		['in the body', (response) => void response.writeHead(200).write('{"_id":')],
	])('%s', async (_title, begin) => {
		const closed: Array<Promise<unknown>> = [];
		const hang: Answer = (response) => {
			closed.push(once(response, 'close'));
			begin(response);
			setTimeout(() => time.advance(30_000), 20);
		};
		await withFaultServer(hang, async ({ url }) => {
			const error = await runError(actionAt(operation, url));
			expect(error.message).toMatch(/^The service did not respond in time/);
			expect(closed).toHaveLength(attempts);
			await Promise.all(closed);
		});
	});

	test('when the execution is cancelled', async () => {
		const closed: Array<Promise<unknown>> = [];
		let cancel = () => {};
		const hang: Answer = (response) => {
			closed.push(once(response, 'close'));
			response.writeHead(200).write('{"_id":');
			setTimeout(() => cancel(), 20);
		};
		await withFaultServer(hang, async ({ url }) => {
			await runAction({ ...actionAt(operation, url), onStart: (stop) => (cancel = stop) });
			expect(closed).toHaveLength(1);
			await Promise.all(closed);
		});
	});
});

test('a read that a trigger has given up closes its connection, although its body goes on', async () => {
	const closed: Array<Promise<unknown>> = [];
	let giveUp = () => {};
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const expiry = new AbortController();
		giveUp = () => expiry.abort();
		return expiry.signal;
	});
	const trickle: Answer = (response) => {
		let bytes = 0;
		const trickling = setInterval(() => {
			response.write(' ');
			if ((bytes += 1) === 5) giveUp();
		}, 5);
		closed.push(once(response, 'close').then(() => clearInterval(trickling)));
		response.writeHead(200).write('{"_id":');
	};
	await withFaultServer(trickle, async ({ url }) => {
		const host = await startTriggerHost({
			parameters: { options: { include: ['collectionRequest'] } },
			credential: { productionBaseUrl: url },
		});
		const answered = await host.post(delivery(notification()));
		expect(answered.text).toBe('{"status":"accepted"}');
		expect(host.started[0]?.includeError).toMatch(/^The service did not respond in time/);
		expect(closed.length).toBeGreaterThanOrEqual(1);
		await Promise.all(closed);
		await host.stop();
	});
	timeout.mockRestore();
});

/** 256 MiB when unpacked; packed in the quickest way, as this takes the machine most of the time. */
const bomb = gzipSync(Buffer.alloc(256 * MEBIBYTE), { level: 1 });

describe.each(BOTH)('a %s whose response is larger than 64 MiB', (operation) => {
	const message =
		operation === 'create'
			? `The service sent a response of more than 64 MiB (HTTP 200). ${MAY_EXIST}`
			: 'The service sent a response of more than 64 MiB (HTTP 200)';

	test('is refused, read no further and not tried again', async () => {
		const { sent, answer } = endless();
		await withFaultServer(answer, async ({ url, requests }) => {
			expect((await runError(actionAt(operation, url))).message).toBe(message);
			await Promise.all(sent.closed);
			expect(requests).toHaveLength(1);
			expect(sent.bytes).toBeLessThan(96 * MEBIBYTE);
		});
	});

	test('closes its connection, although nothing more comes', async () => {
		let closed: Promise<unknown> = Promise.resolve();
		const stall: Answer = (response) => {
			closed = once(response, 'close');
			response.writeHead(200, { 'content-type': 'application/json' });
			response.write(Buffer.alloc(64 * MEBIBYTE + 1, ' '));
		};
		await withFaultServer(stall, async ({ url }) => {
			expect((await runError(actionAt(operation, url))).message).toBe(message);
			await closed;
		});
	});

	test('is refused when it is small as long as it is packed', async () => {
		expect(bomb.length).toBeLessThan(2 * MEBIBYTE);
		const answer: Answer = (response) => {
			response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
			response.end(bomb);
		};
		await withFaultServer(answer, async ({ url, requests }) => {
			const before = process.memoryUsage().arrayBuffers;
			expect((await runError(actionAt(operation, url))).message).toBe(message);
			expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(192 * MEBIBYTE);
			expect(requests).toHaveLength(1);
		});
	});

	test('but is a refusal is one: its status says enough', async () => {
		const { sent, answer } = endless(422);
		await withFaultServer(answer, async ({ url }) => {
			const error = await runError(actionAt(operation, url));
			expect(error.message).toBe('The service refused the request (HTTP 422)');
			await Promise.all(sent.closed);
		});
	});
});

test('nothing listens to a timeout any more once its response has come', async () => {
	const timeouts: AbortSignal[] = [];
	const real = AbortSignal.timeout.bind(AbortSignal);
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const signal = real(milliseconds);
		timeouts.push(signal);
		return signal;
	});
	await withFaultServer(json(200, { _id: '1' }), async ({ url }) => {
		await runAction({ ...actionAt('read', url), input: Array.from({ length: 20 }, () => ({})) });
	});
	timeout.mockRestore();
	expect(timeouts).toHaveLength(20);
	expect(timeouts.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
});

describe('TLS that breaks after the request has arrived', () => {
	/** A proxy that lets the request through and then sends this in place of the response. */
	async function withBrokenTls(
		garbage: Buffer,
		use: (url: string, arrived: string[]) => Promise<void>,
	): Promise<void> {
		const arrived: string[] = [];
		let toClient: Socket | undefined;
		const service = createTlsServer(selfSigned, (request: IncomingMessage) => {
			arrived.push(`${request.method} ${request.url}`);
			request.resume();
			toClient?.write(garbage);
		}).listen(0, '127.0.0.1');
		await once(service, 'listening');
		const { port } = service.address() as AddressInfo;
		const sockets = new Set<Socket>();
		const proxy = createTcpServer((client) => {
			toClient = client;
			const upstream = connect(port, '127.0.0.1');
			for (const socket of [client, upstream]) {
				sockets.add(socket);
				socket.on('error', () => {});
			}
			client.pipe(upstream);
			upstream.pipe(client);
		}).listen(0, '127.0.0.1');
		await once(proxy, 'listening');
		const usual = getCACertificates();
		setDefaultCACertificates([...usual, selfSigned.cert]);
		try {
			await use(`https://127.0.0.1:${(proxy.address() as AddressInfo).port}`, arrived);
		} finally {
			setDefaultCACertificates(usual);
			for (const socket of sockets) socket.destroy();
			proxy.close();
			service.closeAllConnections();
			service.close();
		}
	}

	/** A TLS record of this type and version with 32 bytes that nobody encrypted. */
	const record = (type: number, major: number) =>
		Buffer.concat([Buffer.from([type, major, 3, 0, 32]), Buffer.alloc(32, 7)]);

	test.each([
		['a record of an unknown type', record(99, 3)],
		['a record of another version', record(23, 9)],
		['a record that cannot be decrypted', record(23, 3)],
		['a handshake record', record(22, 3)],
		['plain HTTP', Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
	])('%s: a create may exist and is not sent again', async (_title, garbage) => {
		await withBrokenTls(garbage, async (url, arrived) => {
			const error = await runError(actionAt('create', url));
			expect(error.message).toContain(MAY_EXIST);
			expect(error.description).toMatch(/ERR_SSL|EPROTO/);
			expect(arrived).toEqual(['POST /di/collection-request/']);
		});
	});
});

describe('a share ID that is no text', () => {
	const read = { resource: 'share', operation: 'get', shareBy: 'requestId', requestId: 'r1' };

	test.each([[7], [{ $oid: 's1' }], [['s1']], [true]])(
		'%j: told, not tried again',
		async (shareId) => {
			await withFaultServer(json(200, { _id: 'r1', shareId }), async ({ url, requests }) => {
				const error = await runError({ parameters: read, credential: { productionBaseUrl: url } });
				expect(error).toMatchObject({
					name: 'NodeApiError',
					message: 'The service sent a collection request whose share ID is not a text',
				});
				expect(requests).toHaveLength(1);
			});
		},
	);

	test('after a create it is nobody’s concern', async () => {
		await withFaultServer(json(201, { _id: 'r1', shareId: 7 }), async ({ url }) => {
			expect(await runOk(actionAt('create', url))).toMatchObject({ _id: 'r1', shareId: 7 });
		});
	});
});
