import { signed } from '../support/delivery.mts';
import { environment } from '../support/environment.mts';
import { leaks, placesOf } from '../support/leaks.mts';
import { createTrigger } from '../support/trigger.mts';

/** Each suite checks again at its end, at what all its files have left behind. */
test("keys, secrets and expected signatures appear neither in n8n's logs nor in anything that it has stored", async () => {
	const trigger = await createTrigger({ name: 'E2E leaks' });
	await trigger.accepts(trigger.good());
	const logs = 'Delivery refused';
	await trigger.refuses(signed({ secret: 'another secret' }), 'unverified', logs);
	const found = placesOf(environment);
	const { "n8n's log": log = [], 'the database': rows = [] } = found;
	// Numbers only: what these lines hold must not get into the report.
	const linesWith = (text: string, lines: string[]) =>
		lines.filter((line) => line.includes(text)).length;
	expect(linesWith(logs, log)).toBeGreaterThan(0);
	expect(linesWith('collection_request.updated', rows)).toBeGreaterThan(0);
	expect(leaks(environment)).toStrictEqual([]);
});
