import { signed } from '../support/delivery.mts';
import { environment } from '../support/environment.mts';
import { leaks, placesOf } from '../support/leaks.mts';
import { createTrigger } from '../support/trigger.mts';

/** Each suite looks for leaks at its end; this sees that it finds what n8n logs and stores. */
test("keys, secrets and expected signatures appear neither in n8n's logs nor in anything that it has stored", async () => {
	const trigger = await createTrigger({ name: 'E2E leaks' });
	await trigger.accepts(trigger.good());
	await trigger.refuses(signed({ secret: 'another secret' }), '401 unverified', 'Delivery refused');
	const places = placesOf(environment);
	const isIn = (place: string, text: string) => places[place]?.some((line) => line.includes(text));
	expect(isIn("n8n's log", 'Delivery refused')).toBe(true);
	expect(isIn('the database', 'collection_request.updated')).toBe(true);
	expect(leaks(environment)).toStrictEqual([]);
});
