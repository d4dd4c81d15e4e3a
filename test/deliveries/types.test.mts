import assert from 'node:assert/strict';
import { payload, signed, valueOf, without, withHeader } from '../support/delivery.mts';
import { openRest } from '../support/environment.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';

const types = [
	'APPLICATION/JSON',
	'application/json; charset=utf-8',
	'application/json ; charset=utf-8',
	'text/plain',
	'application/octet-stream',
	'application/cloudevents+json',
	'application/x-www-form-urlencoded',
	undefined,
];

describe('W67 the content type does not matter', () => {
	let trigger: Trigger;
	beforeAll(async () => {
		trigger = await createTrigger({ rest: openRest(), name: 'E2E content types' });
	});

	for (const type of types) {
		test(`W67 ${type ?? 'no Content-Type'}: accepted, the same item`, async () => {
			const fields = payload({ note: 'a=1&b=2; Zürich' });
			const delivery = signed({ secret: trigger.secret, body: fields });
			const { deliveryId, guestLink, notifiedAt, ...item } = await trigger.accepts(
				type === undefined
					? without(delivery, 'Content-Type')
					: withHeader(delivery, 'Content-Type', type),
			);
			assert.deepEqual(item, fields);
			assert.equal(typeof deliveryId, 'string');
			assert.equal(typeof guestLink, 'string');
			assert.equal(notifiedAt, new Date(Number(item.timestamp)).toISOString());
			await trigger.accepts(trigger.good());
		});
	}

	test('W34 a signature in capitals is refused', async () => {
		const delivery = trigger.good();
		const signature = valueOf(delivery, 'X-SVC-Signature').toUpperCase();
		await trigger.refuses(withHeader(delivery, 'X-SVC-Signature', signature), 'unverified');
	});
});
