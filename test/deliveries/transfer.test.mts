import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import type { Delivery } from '../support/delivery.mts';
import { openRest } from '../support/environment.mts';
import { exchange, headOf } from '../support/exchange.mts';
import { logEnd, waitForLog } from '../support/n8nLog.mts';
import { sendBytes, sendChunked } from '../support/send.mts';
import { createTrigger, type Sender, type Trigger } from '../support/trigger.mts';

const methods = ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

const lengthOf = ({ body }: Delivery): [string, string] => ['Content-Length', String(body.length)];

/** Sends with another method, or with other lines in front of the delivery's own. */
const sentWith =
	(
		method: string,
		lines = (delivery: Delivery): Delivery['headers'] => [lengthOf(delivery)],
	): Sender =>
	(url, delivery) =>
		sendBytes(url, headOf(url, method, [...lines(delivery), ...delivery.headers]), delivery.body);

const notHttp: Array<[title: string, lines: (delivery: Delivery) => Delivery['headers']]> = [
	['a Content-Length that is too short', () => [['Content-Length', '50']]],
	[
		'Content-Length and Transfer-Encoding',
		(delivery) => [lengthOf(delivery), ['Transfer-Encoding', 'chunked']],
	],
	['a header over two lines', (delivery) => [lengthOf(delivery), ['X-Folded', 'one\r\n two']]],
	['a NUL in a header', (delivery) => [lengthOf(delivery), ['X-Nul', 'a\0b']]],
];

describe('how a delivery is sent', () => {
	let trigger: Trigger;
	beforeAll(async () => {
		trigger = await createTrigger({ rest: openRest(), name: 'E2E transfer' });
	});

	/** Sends a delivery that announces ten bytes more than it has, and waits until n8n has it. */
	const stall = async (): Promise<Socket> => {
		const delivery = trigger.good();
		const { hostname, port } = new URL(trigger.url);
		const length: [string, string] = ['Content-Length', String(delivery.body.length + 10)];
		const head = headOf(trigger.url, 'POST', [
			length,
			['Expect', '100-continue'],
			...delivery.headers,
		]);
		const socket = connect({ host: hostname, port: Number(port) });
		socket.write(head);
		// n8n asks for the body, so it has begun to handle the delivery.
		await new Promise((resolve) => socket.once('data', resolve));
		await new Promise((resolve) => socket.write(delivery.body, resolve));
		return socket;
	};

	for (const method of methods) {
		test(`W71 ${method}, signed: n8n itself refuses it`, async () => {
			await trigger.rejects(trigger.good(), method, sentWith(method));
		});
	}

	test('W73 a body that does not come to its end: others pass, and nothing starts', async () => {
		const sockets = [await stall(), await stall()];
		for (let count = 0; count < 3; count += 1) await trigger.accepts(trigger.good());
		for (const socket of sockets) assert.equal(socket.readyState, 'open', 'it still waits');
		const place = logEnd();
		for (const socket of sockets) socket.destroy();
		await waitForLog(place, 'Request body stream was aborted');
		await trigger.assertCount();
		await trigger.accepts(trigger.good());
	});

	test('W73 a sender that hangs up in the middle of the body: nothing starts', async () => {
		const { headers, body } = trigger.good();
		const head = headOf(trigger.url, 'POST', [lengthOf({ headers, body }), ...headers]);
		const { hostname, port } = new URL(trigger.url);
		const place = logEnd();
		const socket = connect({ host: hostname, port: Number(port) });
		socket.end(Buffer.concat([head, body.subarray(0, body.length / 2)]));
		await waitForLog(place, 'Request body stream was aborted');
		await trigger.assertCount();
		await trigger.accepts({ headers, body });
	});

	for (const [title, lines] of notHttp) {
		test(`W74 ${title}: Node itself answers 400`, async () => {
			await trigger.rejects(trigger.good(), 'noHttp', sentWith('POST', lines));
		});
	}

	test('W74 two deliveries over one connection, one inside the other: none starts', async () => {
		const inner = trigger.good();
		const hidden = Buffer.concat([
			headOf(trigger.url, 'POST', [lengthOf(inner), ...inner.headers]),
			inner.body,
		]);
		const outer = trigger.good();
		const lines: Delivery['headers'] = [
			['Content-Length', '0'],
			['Transfer-Encoding', 'chunked'],
		];
		const head = headOf(trigger.url, 'POST', [...lines, ...outer.headers]);
		const answer = await exchange(trigger.url, head, Buffer.from('0\r\n\r\n'), hidden);
		assert.equal(answer?.status, 400);
		await trigger.assertCount();
		await trigger.accepts(inner);
	});

	test('in chunks, without a length: accepted', async () => {
		await trigger.accepts(trigger.good(), sendChunked);
	});
});
