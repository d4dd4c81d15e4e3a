import assert from 'node:assert/strict';
import { signed } from '../support/delivery.mts';
import { addresses, rest } from '../support/environment.mts';
import { leaks, placesOf } from '../support/leaks.mts';
import { createTrigger } from '../support/trigger.mts';

const suite = process.env.TEST_SUITE ?? '';

/** The end of each suite looks again, at what all its files have left behind. */
describe('W81 keys, secrets and expected signatures', () => {
	beforeAll(async () => {
		const trigger = await createTrigger({ name: 'E2E leaks' });
		await trigger.accepts(trigger.good());
		await trigger.refuses(signed({ secret: 'another secret' }), 'unverified', {
			logs: 'Delivery refused',
		});
	});

	test("appear neither in n8n's logs nor in anything that it has stored", async () => {
		const found = await placesOf(addresses);
		const { "n8n's log": log = [], 'the database': rows = [] } = found;
		assert.ok(log.some((line) => line.includes('Delivery refused')));
		assert.ok(rows.some((row) => row.includes('collection_request.updated')));
		assert.deepEqual(await leaks(suite, addresses), []);
	});
});
