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
	expect(text).not.toBe('{"status":"accepted"}');
	expect(status).toBe(404);
	await trigger.assertCount();
});

test('each worker runs executions, and each execution runs on one worker', async () => {
	const workers = (await partsOf('worker')).map(({ name }) => name);
	expect(workers.length).toBe(2);
	const seen = new Set<string>();
	// Whichever worker is free takes the next one; sending several at once makes both take some.
	for (let round = 0; round < 10 && seen.size < workers.length; round++) {
		const sent = Array.from({ length: 10 }, () => send(trigger.url, trigger.good()));
		for (const answer of await Promise.all(sent)) assertAnswer(answer, 'accepted');
		await trigger.assertCount(10);
		for (const { id, status } of await newestExecutions(rest, trigger.workflow.id, 10)) {
			expect(status).toBe('success');
			const by = await startedBy(id);
			expect(by.length).toBe(1);
			by.forEach((name) => seen.add(name));
		}
	}
	expect([...seen].sort()).toStrictEqual(workers);
});

test('what the editor starts runs in main, with the same result', async () => {
	const { credential } = trigger;
	const read = { resource: 'collectionRequest', operation: 'getGuestLink', requestId: 'r1' };
	const execution = await runNode({ rest, name: 'Queue manual', credential, parameters: read });
	expect(execution.mode).toBe('manual');
	const link = { requestId: 'r1', guestLink: `${serviceUrl}/request/r1` };
	expect(outputOf(execution, nodeName)).toStrictEqual([link]);
	expect(await startedBy(execution.id)).toStrictEqual([]);
});
