import { statSync } from 'node:fs';
import path from 'node:path';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { payload, signed, without } from '../support/delivery.mts';
import type { Delivery } from '../support/delivery.mts';
import { userFolder } from '../support/environment.mts';
import { newestExecutions } from '../support/executions.mts';
import { assertAnswer, send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { triggerName } from '../support/workflows.mts';

const trigger = await createTrigger({
	name: 'Deliveries: repetitions',
	parameters: { triggerOn: 'anyStatus' },
});

/** The size of n8n's database in bytes, including what has not been written back yet. */
const databaseSize = () =>
	['database.sqlite', 'database.sqlite-wal']
		.map((name) => statSync(path.join(userFolder, '.n8n', name)).size)
		.reduce((sum, size) => sum + size);
const sendAll = (deliveries: Delivery[]) =>
	Promise.all(deliveries.map((delivery) => send(trigger.url, delivery)));

test('50 different deliveries at once: 50 executions; again: 50 duplicates', async () => {
	const bodies = Array.from({ length: 50 }, () => payload());
	const deliveries = bodies.map((body) => trigger.good(body));
	for (const answer of await sendAll(deliveries)) assertAnswer(answer, 'accepted');
	await trigger.assertCount(50);
	const executions = await newestExecutions(trigger.workflow.id, 50);
	const ids = executions.map((execution) => outputOf(execution, triggerName)[0]?.requestId);
	expect(ids.sort()).toStrictEqual(bodies.map(({ requestId }) => requestId).sort());
	for (const answer of await sendAll(deliveries)) assertAnswer(answer, 'duplicate');
	await trigger.assertCount();
	await trigger.accepts(trigger.good());
});

test('1,000 unauthenticated deliveries: nothing starts, nothing is stored', async () => {
	const flooded = await createTrigger({ name: 'Deliveries: flooded' });
	await flooded.accepts(flooded.good());

	const size = databaseSize();
	for (let round = 0; round < 50; round += 1) {
		const twenty = Array.from({ length: 10 }, () => [
			without(flooded.good(), 'X-SVC-Signature'),
			signed({ secret: 'not the secret', body: payload() }),
		]).flat();
		const answers = await Promise.all(twenty.map((delivery) => send(flooded.url, delivery)));
		for (const answer of answers) assertAnswer(answer, 'unverified');
	}
	const growth = databaseSize() - size;

	await flooded.assertCount();
	// n8n's own statistics may take a page or so; a stored execution needs several.
	expect(growth).toBeLessThan(256 * 1024);
	await flooded.accepts(flooded.good());
});
