import { sign } from '../support/delivery.mts';
import { useReceiver, useService, WEBHOOK_SECRET } from './client.mts';
import type { Json, Received } from './client.mts';

// What hard mode sends and leaves out. The main flow passes in it: test/e2e/hard-mode.test.mts.

const service = useService();
const receiver = useReceiver();
beforeAll(() => service.send('PUT', '/sandbox/hard-mode', { on: true }));

const ann = { name: 'Ann', email: 'ann@example.com' };
const address = { label: 'Delivery address', value: 'Main Street 1' };
const submit = (id: string) =>
	service.submit(id, { ...ann, [`answers[${address.label}]`]: address.value });

test('reads leave out what can be left out', async () => {
	const invited = [{ ...ann, phoneNumber: '+41 44 000 00 00' }, { name: 'No email address' }];
	const _id = await service.newRequest({ participantList: invited });
	const participantList = [{ email: ann.email }, {}];
	expect(await service.requestOf(_id)).toEqual({ _id, participantList });

	await submit(_id);
	const { shareId } = await service.requestOf(_id);
	const shareStatus = 'completed';
	expect(await service.requestOf(_id)).toEqual({ _id, participantList, shareId, shareStatus });
	expect(await service.shareOf(shareId)).toEqual({
		_id: shareId,
		collectionRequestId: _id,
		status: shareStatus,
		participants: [
			{ accountType: 'organisation', accountSnapshot: { name: 'Sandbox Organisation' } },
			{ accountType: 'user', accountSnapshot: ann },
		],
		otherFields: [address, { label: 'Contact phone', value: '' }, { label: 'Remarks', value: '' }],
	});
});

test('deliveries are strange, repeated and out of order, and signed all the same', async () => {
	const payloadOf = ({ body }: Received) => JSON.parse(body.toString()) as Json;
	await submit(await service.newRequest(receiver.webhook()));
	const all = await receiver.take(11);
	const statuses = all.map((one) => payloadOf(one).shareStatus);
	const last = ['completed', 'completed', 'completed'];
	const first = ['open', 'open', 'open'];
	const unheardOf = ['in_review', undefined];
	expect(statuses).toEqual([...unheardOf, ...last, ...unheardOf, ...first, 'completed']);
	expect(payloadOf(all[1] as Received).event).toBe('collection_request.viewed');
	for (const one of all) {
		const { timestamp } = payloadOf(one);
		expect(timestamp).toMatch(/^\d{10}$/);
		expect(one.headers).toMatchObject({
			'x-svc-timestamp': timestamp,
			'x-svc-signature': sign(WEBHOOK_SECRET, String(timestamp), one.body),
		});
	}
	// Of the repetitions, the first is exact, and no other two have the same ID.
	for (const index of [2, 7]) expect(all[index + 1]).toEqual(all[index]);
	const ids = all.map(({ headers }) => headers['x-svc-delivery-id']);
	expect(new Set(ids).size).toBe(all.length - 2);
});
