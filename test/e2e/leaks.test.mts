import { signed } from '../../sandbox/testing/delivery.mts';
import { addresses, suite } from '../support/environment.mts';
import { leaks, placesOf } from '../support/leaks.mts';
import { createTrigger } from '../support/trigger.mts';

/** Each suite checks again at its end, at what all its files have left behind. */
test("keys, secrets and expected signatures appear neither in n8n's logs nor in anything that it has stored", async () => {
	const trigger = await createTrigger({ name: 'E2E leaks' });
	await trigger.accepts(trigger.good());
	const logs = 'Delivery refused';
	await trigger.refuses(signed({ secret: 'another secret' }), 'unverified', { logs });
	const found = await placesOf(addresses);
	const { "n8n's log": log = [], 'the database': rows = [] } = found;
	expect(log.some((line) => line.includes(logs))).toBe(true);
	expect(rows.some((row) => row.includes('collection_request.updated'))).toBe(true);
	expect(await leaks(suite, addresses)).toStrictEqual([]);
});
