import { createHmac } from 'node:crypto';
import { startService } from '../engine/support/service.mts';
import type { Service } from '../engine/support/service.mts';
import { createRequest, exchange, listOf, postJson, startReceiver, submit } from './client.mts';
import { anyText, textLike, until, WEBHOOK_SECRET } from './client.mts';
import type { Json, Received } from './client.mts';

const TIMEOUT_MS = 150;
const HEADERS = [
	'content-type',
	'user-agent',
	'x-svc-signature',
	'x-svc-timestamp',
	'x-svc-event',
	'x-svc-delivery-id',
];

let service: Service;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let reply: { status: number; headers?: Record<string, string> };
let requestId: string;

beforeAll(async () => {
	service = await startService({ deliveryTimeoutMs: TIMEOUT_MS });
});
afterAll(() => service.stop());

beforeEach(async () => {
	reply = { status: 200 };
	receiver = await startReceiver(reply);
	requestId = await createRequest(service.url, {
		webhookUrl: receiver.url,
		webhookSecret: WEBHOOK_SECRET,
		webhookIdentifier: 'Grüße "from" us',
	});
});
afterEach(() => receiver.stop());

function signatureOf({ headers, body }: Received, secret = WEBHOOK_SECRET): string {
	const timestamp = Buffer.from(`${String(headers['x-svc-timestamp'])}.`);
	return createHmac('sha256', secret)
		.update(Buffer.concat([timestamp, body]))
		.digest('hex');
}

function payloadOf({ body }: Received): Json {
	return listOf([JSON.parse(body.toString())])[0] ?? {};
}

/** Waits until `count` deliveries of the request have ended; newest first. */
async function deliveries(count: number): Promise<Json[]> {
	const read = async () =>
		listOf((await exchange(`${service.url}/sandbox/requests/${requestId}`)).json.deliveries);
	return await until(
		read,
		(list) => list.filter(({ durationMs }) => durationMs !== null).length === count,
	);
}

test('each state change sends one signed POST, in order', async () => {
	await submit(service.url, requestId, 'ann@example.com');
	const received = await receiver.take(2);
	await deliveries(2);
	expect(receiver.received).toHaveLength(2);
	expect(received.map((one) => payloadOf(one).shareStatus)).toEqual(['open', 'completed']);
	for (const one of received) {
		const { headers } = one;
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			'user-agent': 'svc-webhooks/1.0',
			'x-svc-event': 'collection_request.updated',
			'x-svc-signature': signatureOf(one),
		});
		expect(headers['x-svc-signature']).toMatch(/^[0-9a-f]{64}$/);
		expect(headers['x-svc-delivery-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
		expect(payloadOf(one)).toEqual({
			event: 'collection_request.updated',
			requestId,
			shareStatus: anyText,
			webhookIdentifier: 'Grüße "from" us',
			timestamp: headers['x-svc-timestamp'],
		});
		expect(headers['x-svc-timestamp']).toMatch(/^\d{13}$/);
	}
	expect(new Set(received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(2);
});

test('only the headers of a delivery are sent, and what every POST needs', async () => {
	await submit(service.url, requestId, 'ann@example.com');
	const [first] = await receiver.take(1);
	expect(Object.keys(first?.headers ?? {}).sort()).toEqual(
		[...HEADERS, 'connection', 'content-length', 'host'].sort(),
	);
});

test('the identifier is left out when none was given', async () => {
	const plain = { webhookUrl: receiver.url, webhookSecret: WEBHOOK_SECRET };
	await submit(service.url, await createRequest(service.url, plain), 'ann@example.com');
	const [first] = await receiver.take(1);
	expect(first && payloadOf(first)).not.toHaveProperty('webhookIdentifier');
});

test('a redirect is not followed', async () => {
	const elsewhere = await startReceiver({ status: 200 });
	Object.assign(reply, { status: 307, headers: { location: elsewhere.url } });
	await submit(service.url, requestId, 'ann@example.com');
	const [last] = await deliveries(2);
	expect(last).toMatchObject({ statusCode: 307, error: textLike(/redirect/) });
	expect(elsewhere.received).toHaveLength(0);
	elsewhere.stop();
});

test('a receiver that does not answer ends at the time limit, without another attempt', async () => {
	reply.status = 0;
	const { status } = await submit(service.url, requestId, 'ann@example.com');
	expect(status).toBe(200);
	for (const delivery of await deliveries(2)) {
		expect(delivery.error).toBe(`No complete response within ${TIMEOUT_MS} ms.`);
		expect(delivery.statusCode).toBeNull();
		expect(Number(delivery.durationMs)).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
	}
	expect(receiver.received).toHaveLength(2);
});

test('a refusal and an unreachable receiver are recorded, not repeated', async () => {
	reply.status = 500;
	await submit(service.url, requestId, 'ann@example.com');
	const [refused] = await deliveries(2);
	expect(refused).toMatchObject({ statusCode: 500, answer: 'as received', error: null });
	expect(receiver.received).toHaveLength(2);

	receiver.stop();
	const again = await postJson(
		`${service.url}/sandbox/deliveries/${String(refused?.id)}/redeliver`,
	);
	expect(again.json).toMatchObject({ statusCode: null, error: textLike(/\w/) });
});

describe('sent again', () => {
	let original: Received;
	let id: string;

	beforeEach(async () => {
		await submit(service.url, requestId, 'ann@example.com');
		const [, last] = await receiver.take(2);
		const [record] = await deliveries(2);
		if (!last) throw new Error('There was no second notification.');
		original = last;
		id = String(record?.id);
	});

	const redeliver = (body: Json) =>
		postJson(`${service.url}/sandbox/deliveries/${id}/redeliver`, body);

	test('a redelivery is a new delivery of the same news', async () => {
		const { json } = await redeliver({});
		const again = (await receiver.take(3))[2] ?? original;
		expect(json).toMatchObject({ kind: 'redelivery', statusCode: 200 });
		expect(again.headers['x-svc-delivery-id']).not.toBe(original.headers['x-svc-delivery-id']);
		expect(again.headers['x-svc-signature']).toBe(signatureOf(again));
		const timestamp = again.headers['x-svc-timestamp'];
		expect(payloadOf(again)).toEqual({ ...payloadOf(original), timestamp });
		expect(Number(timestamp)).toBeGreaterThanOrEqual(Number(original.headers['x-svc-timestamp']));
	});

	test('an exact redelivery is the very same bytes and headers', async () => {
		const { json } = await redeliver({ exact: true });
		const again = (await receiver.take(3))[2];
		expect(again).toEqual(original);
		expect(json.deliveryId).toBe(original.headers['x-svc-delivery-id']);
		expect(json.id).not.toBe(id);
	});

	test('a forged delivery differs in nothing but its signature', async () => {
		const { json } = await postJson(`${service.url}/sandbox/requests/${requestId}/forge`);
		const forged = (await receiver.take(3))[2] ?? original;
		expect(json.kind).toBe('forged');
		expect(forged.headers['x-svc-signature']).toMatch(/^[0-9a-f]{64}$/);
		expect(forged.headers['x-svc-signature']).not.toBe(signatureOf(forged));
		expect(payloadOf(forged)).toMatchObject({ requestId, shareStatus: 'completed' });
	});
});
