import { sign } from '../support/delivery.mts';
import { until } from '../support/until.mts';
import { asJson, expectPage, listOf, startReceiver, useService } from './client.mts';
import { WEBHOOK_SECRET, type Json, type Received } from './client.mts';

const service = useService();
const set = (on: unknown) =>
	service.ask('/sandbox/hard-mode', { ...asJson({ on }), method: 'PUT' });
const isOn = async () => (await service.ask('/sandbox/hard-mode')).json.on;
beforeEach(() => set(true));

const UPDATED = 'collection_request.updated';
const ann = { name: 'Ann', email: 'ann@example.com' };

describe('the switch', () => {
	test('is off at first, and off again after clearing everything', async () => {
		await service.clear();
		expect(await isOn()).toBe(false);
		expect((await set(true)).json).toEqual({ on: true });
		expect(await isOn()).toBe(true);
		await service.clear();
		expect(await isOn()).toBe(false);
	});

	test('the console says when it is on', async () => {
		expectPage(await service.ask('/'), 200, 'Hard mode is on');
		await set(false);
		expect((await service.ask('/')).text).not.toContain('Hard mode is on');
	});
});

test('reads leave out what can be left out', async () => {
	const invited = [{ ...ann, phoneNumber: '+41 44 000 00 00' }, { name: 'No email address' }];
	const _id = await service.newRequest({ participantList: invited });
	const participantList = [{ email: ann.email }, {}];
	expect(await service.readRequest(_id)).toEqual({ _id, participantList });

	await service.submit(_id, ann.email, ann.name);
	const { shareId } = await service.readRequest(_id);
	expect(await service.readRequest(_id)).toEqual({
		...{ _id, participantList, shareId, shareStatus: 'completed' },
	});
	expect((await service.read(`share/${String(shareId)}`)).json).toEqual({
		...{ _id: shareId, collectionRequestId: _id, status: 'completed' },
		participants: [
			{ accountType: 'organisation', accountSnapshot: { name: 'Sandbox Organisation' } },
			{ accountType: 'user', accountSnapshot: ann },
		],
		otherFields: [
			{ label: 'Delivery address', value: `Street of ${ann.email}` },
			{ label: 'Contact phone', value: '' },
			{ label: 'Remarks', value: '' },
		],
	});
});

describe('deliveries', () => {
	const payloadOf = ({ body }: Received) => JSON.parse(body.toString()) as Json;
	const idOf = ({ headers }: Received) => headers['x-svc-delivery-id'];
	const newsOf = (received: Received[]) =>
		received.map((one) => {
			const { event, shareStatus } = payloadOf(one);
			expect(one.headers['x-svc-event']).toBe(event);
			return event === UPDATED ? shareStatus : [event, shareStatus];
		});
	const unheardOf = ['in_review', ['collection_request.viewed', undefined]];
	const ofFirst = [...unheardOf, 'open', 'open', 'open'];
	const ofSecond = [...unheardOf, 'completed', 'completed', 'completed', 'open'];
	const atOnce = [
		...[...unheardOf, 'completed', 'completed', 'completed'],
		...[...unheardOf, 'open', 'open', 'open', 'completed'],
	];

	test('are strange, repeated and out of order, and signed all the same', async () => {
		const receiver = await startReceiver({ status: 200 });
		const requestId = await service.newRequest(receiver.webhook);
		await service.post(`/sandbox/requests/${requestId}/join`, ann);
		expect(newsOf(await receiver.take(ofFirst.length))).toEqual(ofFirst);
		await service.submit(requestId, ann.email, ann.name);
		const all = await receiver.take(ofFirst.length + ofSecond.length);
		expect(newsOf(all.slice(ofFirst.length))).toEqual(ofSecond);
		for (const one of all) {
			const { timestamp, ...payload } = payloadOf(one);
			expect(payload).toMatchObject({ requestId });
			expect(payload).not.toHaveProperty('webhookIdentifier');
			expect(timestamp).toMatch(/^\d{10}$/);
			expect(one.headers['x-svc-timestamp']).toBe(timestamp);
			expect(one.headers['x-svc-signature']).toBe(
				sign(WEBHOOK_SECRET, String(timestamp), one.body),
			);
		}
		// The exact repetitions are equal in everything; no other two have the same ID or signature.
		for (const index of [2, 7]) expect(all[index + 1]).toEqual(all[index]);
		expect(new Set(all.map(idOf)).size).toBe(all.length - 2);
		expect(new Set(all.map(({ headers }) => headers['x-svc-signature'])).size).toBe(all.length - 2);
		const times = all.map((one) => Number(payloadOf(one).timestamp));
		expect(times).toEqual(times.toSorted((one, other) => one - other));
	});

	test('of changes in one moment begin with the last change', async () => {
		const receiver = await startReceiver({ status: 200 });
		const id = await service.newRequest(receiver.webhook);
		await service.post(`/sandbox/requests/${id}/complete`);
		expect(newsOf(await receiver.take(atOnce.length))).toEqual(atOnce);
		const recorded = await until('every delivery to end', async () => {
			const { json } = await service.ask(`/sandbox/requests/${id}`);
			const ended = listOf(json.deliveries).filter(({ durationMs }) => durationMs !== null);
			return ended.length === atOnce.length ? ended.reverse() : undefined;
		});
		const kinds = recorded.map(({ kind }) => kind);
		const again = ['redelivery', 'redelivery'];
		expect(kinds).toEqual([
			...['unknown', 'unknown', 'notification', ...again],
			...['unknown', 'unknown', 'notification', ...again, 'redelivery'],
		]);
	});
});
