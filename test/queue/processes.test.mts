import assert from 'node:assert/strict';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { assertAnswer } from '../support/answers.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { newestExecutions } from '../support/executions.mts';
import { nodeName, runNode } from '../support/runNode.mts';
import { send } from '../../sandbox/deployment/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { at, partsOf, startedBy } from './support/parts.mts';

const trigger = await createTrigger({ name: 'Queue processes' });

test('main answers no production webhook: the load balancer sends them past it', async () => {
	const [main] = await partsOf('main');
	assert.ok(main);
	const { status, text } = await send(at(main, trigger.url), trigger.good());
	assert.notEqual(text, '{"status":"accepted"}');
	assert.equal(status, 404, text);
	await trigger.assertCount();
});

test('each worker runs executions, and each execution runs on one worker', async () => {
	const workers = (await partsOf('worker')).map(({ name }) => name);
	assert.equal(workers.length, 2);
	const seen = new Set<string>();
	// Whichever worker is free takes the next one; sending several at once makes both take some.
	for (let round = 0; round < 10 && seen.size < workers.length; round++) {
		const sent = Array.from({ length: 10 }, () => send(trigger.url, trigger.good()));
		for (const answer of await Promise.all(sent)) assertAnswer(answer, 'accepted');
		await trigger.assertCount(10);
		for (const { id, status } of await newestExecutions(rest, trigger.workflow.id, 10)) {
			assert.equal(status, 'success');
			const by = await startedBy(id);
			assert.equal(by.length, 1, `execution ${id} was started by ${by.join(' and ')}`);
			by.forEach((name) => seen.add(name));
		}
	}
	assert.deepEqual([...seen].sort(), workers);
});

test('what the editor starts runs in main, with the same result', async () => {
	const { credential } = trigger;
	const read = { resource: 'collectionRequest', operation: 'getGuestLink', requestId: 'r1' };
	const execution = await runNode({ rest, name: 'Queue manual', credential, parameters: read });
	assert.equal(execution.mode, 'manual');
	const link = { requestId: 'r1', guestLink: `${serviceUrl}/request/r1` };
	assert.deepEqual(outputOf(execution, nodeName), [link]);
	assert.deepEqual(await startedBy(execution.id), []);
});
