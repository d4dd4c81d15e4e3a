import assert from 'node:assert/strict';
import { assertAnswer } from '../support/answers.mts';
import { countAllExecutions, databaseSize } from '../support/database.mts';
import { payload, signed, without, type Delivery } from '../support/delivery.mts';
import { openRest } from '../support/environment.mts';
import { countExecutions } from '../support/executions.mts';
import { send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { chain, errorNode } from '../support/workflows.mts';

const count = 1000;
const atOnce = 20;
/** A page more or less for n8n's own statistics; a stored execution needs several. */
const boundedGrowth = 256 * 1024;

test('W76 1,000 unauthenticated deliveries: nothing starts, nothing is stored', async () => {
	const rest = openRest();
	const onError = await rest.createWorkflow(chain('E2E W76 on error', [errorNode()]));
	const settings = { errorWorkflow: onError.id };
	const trigger = await createTrigger({ rest, name: 'E2E W76', settings });
	await trigger.accepts(trigger.good());

	const unsigned = (): Delivery => without(trigger.good(), 'X-SVC-Signature');
	const forged = (): Delivery => signed({ secret: 'not the secret', body: payload() });
	const executions = countAllExecutions();
	const size = databaseSize();
	for (let sent = 0; sent < count; sent += atOnce) {
		const batch = Array.from({ length: atOnce }, (_, index) =>
			send(trigger.url, index % 2 === 0 ? unsigned() : forged()),
		);
		for (const answer of await Promise.all(batch)) assertAnswer(answer, 'unverified');
	}
	const growth = databaseSize() - size;

	await trigger.assertCount();
	assert.equal(countAllExecutions(), executions, 'executions of all workflows');
	assert.equal(await countExecutions(rest, onError.id), 0, 'runs of the error workflow');
	assert.ok(growth < boundedGrowth, `the database grew by ${growth} bytes`);
	await trigger.accepts(trigger.good());
});
