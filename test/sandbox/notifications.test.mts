import { sign } from '../support/delivery.mts';
import { until } from '../support/until.mts';
import { anyText, listOf, startReceiver, textLike, useService, WEBHOOK_SECRET } from './client.mts';
import type { Json, Received } from './client.mts';

const service = useService();

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let reply: { status: number; headers?: Record<string, string> };
let requestId: string;
beforeEach(async () => {
	reply = { status: 200 };
	receiver = await startReceiver(reply);
	const webhookIdentifier = 'Grüße "from" us';
	requestId = await service.newRequest({ ...receiver.webhook, webhookIdentifier });
});

const submit = () => service.submit(requestId, 'ann@example.com');
const payloadOf = ({ body }: Received) => JSON.parse(body.toString()) as Json;
const signatureOf = ({ headers, body }: Received) =>
	sign(WEBHOOK_SECRET, String(headers['x-svc-timestamp']), body);

/** Both deliveries of a submission once they have ended, newest first. */
const deliveries = () =>
	until('two deliveries that have ended', async () => {
		const { json } = await service.ask(`/sandbox/requests/${requestId}`);
		const ended = listOf(json.deliveries).filter(({ durationMs }) => durationMs !== null);
		return ended.length === 2 ? ended : undefined;
	});

test('each state change sends one signed POST, in order', async () => {
	await submit();
	await deliveries();
	const { received } = receiver;
	expect(received.map((one) => payloadOf(one).shareStatus)).toEqual(['open', 'completed']);
	for (const one of received) {
		const { 'x-svc-timestamp': timestamp, ...headers } = one.headers;
		expect(timestamp).toMatch(/^\d{13}$/);
		// These, those that every POST needs, and no others.
		expect(headers).toEqual({
			'content-type': 'application/json',
			'user-agent': 'svc-webhooks/1.0',
			'x-svc-event': 'collection_request.updated',
			'x-svc-signature': signatureOf(one),
			'x-svc-delivery-id': textLike(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
			connection: anyText,
			'content-length': anyText,
			host: anyText,
		});
		expect(headers['x-svc-signature']).toMatch(/^[0-9a-f]{64}$/);
		expect(payloadOf(one)).toEqual({
			event: 'collection_request.updated',
			requestId,
			shareStatus: anyText,
			webhookIdentifier: 'Grüße "from" us',
			timestamp,
		});
	}
	expect(new Set(received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(2);
});

test.each<[what: string, status: number, record: Json]>([
	['a refusal', 500, { statusCode: 500, answer: 'as received', error: null }],
	['a redirect', 307, { statusCode: 307, error: textLike(/redirect/) }],
])('%s is recorded, and neither followed nor repeated', async (_what, status, record) => {
	const elsewhere = await startReceiver({ status: 200 });
	Object.assign(reply, { status, headers: { location: elsewhere.webhook.webhookUrl } });
	expect((await submit()).status).toBe(200);
	const sent = await deliveries();
	expect(sent).toMatchObject([record, record]);
	expect(receiver.received).toHaveLength(2);
	expect(elsewhere.received).toEqual([]);

	await receiver.close();
	const { json } = await service.post(`/sandbox/deliveries/${String(sent[0]?.id)}/redeliver`);
	expect(json).toMatchObject({ statusCode: null, error: textLike(/\w/) });
});

test('a response that does not come within 5 seconds is recorded as none', async () => {
	reply.status = 0;
	await submit();
	const ended = await until('a delivery that has ended', async () => {
		const { json } = await service.ask(`/sandbox/requests/${requestId}`);
		return listOf(json.deliveries).find(({ durationMs }) => durationMs !== null);
	});
	const error = 'No complete response within 5000 ms.';
	expect(ended).toMatchObject({ statusCode: null, error });
});

describe('sent again', () => {
	/** The service's report of the next delivery, that delivery as received, and the original. */
	async function sendAgain(what: 'redeliver' | 'exact' | 'forge') {
		await submit();
		const [record] = await deliveries();
		const id = String(record?.id);
		const path = what === 'forge' ? `requests/${requestId}/forge` : `deliveries/${id}/redeliver`;
		const { json } = await service.post(`/sandbox/${path}`, { exact: what === 'exact' });
		const [, original, again] = await receiver.take(3);
		if (!original || !again) throw new Error('There was no third notification.');
		return { id, json, original, again };
	}

	test('a redelivery is a new delivery of the same news', async () => {
		const { json, original, again } = await sendAgain('redeliver');
		expect(json).toMatchObject({ kind: 'redelivery', statusCode: 200 });
		expect(again.headers['x-svc-delivery-id']).not.toBe(original.headers['x-svc-delivery-id']);
		expect(again.headers['x-svc-signature']).toBe(signatureOf(again));
		const timestamp = again.headers['x-svc-timestamp'];
		expect(payloadOf(again)).toEqual({ ...payloadOf(original), timestamp });
		expect(Number(timestamp)).toBeGreaterThanOrEqual(Number(original.headers['x-svc-timestamp']));
	});

	test('an exact redelivery is the very same bytes and headers', async () => {
		const { id, json, original, again } = await sendAgain('exact');
		expect(again).toEqual(original);
		expect(json.deliveryId).toBe(original.headers['x-svc-delivery-id']);
		expect(json.id).not.toBe(id);
	});

	test('a forged delivery differs in nothing but its signature', async () => {
		const { json, again } = await sendAgain('forge');
		expect(json.kind).toBe('forged');
		expect(again.headers['x-svc-signature']).toMatch(/^[0-9a-f]{64}$/);
		expect(again.headers['x-svc-signature']).not.toBe(signatureOf(again));
		expect(payloadOf(again)).toMatchObject({ requestId, shareStatus: 'completed' });
	});
});
