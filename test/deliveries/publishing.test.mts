import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { withHeader } from '../support/delivery.mts';
import { rest } from '../support/environment.mts';
import { newestExecution } from '../support/executions.mts';
import { assertAnswer, send } from '../support/send.mts';
import { createTrigger, follow, unpublish, type Trigger } from '../support/trigger.mts';
import { triggerName } from '../support/workflows.mts';

const assertOff = async (trigger: Trigger) => {
	await unpublish(rest, trigger.workflow);
	expect((await send(trigger.url, trigger.good())).status).toBe(404);
	await trigger.assertCount();
};

test('the test URL: a forged delivery leaves it listening, a good one starts once', async () => {
	const trigger = await createTrigger({ name: 'Deliveries: test URL' });
	// What the editor's button sends.
	const start = { triggerToStartFrom: { name: triggerName } };
	await rest.send('POST', `/rest/workflows/${trigger.workflow.id}/run`, start);
	const testUrl = trigger.url.replace('/webhook/', '/webhook-test/');
	const forged = withHeader(trigger.good(), 'X-SVC-Signature', '0'.repeat(64));
	assertAnswer(await send(testUrl, forged), 'unverified');
	await trigger.assertCount();
	assertAnswer(await send(testUrl, trigger.good()), 'accepted');
	await trigger.assertCount(1);
	const execution = await newestExecution(trigger.workflow.id);
	expect(execution.mode).toBe('manual');
	expect(outputOf(execution, triggerName).length).toBe(1);
	expect((await send(testUrl, trigger.good())).status).toBe(404);
});

test('unpublished: 404; published again: accepted at the same address', async () => {
	const trigger = await createTrigger({ name: 'Deliveries: unpublished' });
	await assertOff(trigger);
	await publish(rest, trigger.workflow);
	await trigger.accepts(trigger.good());
});

test('a copied workflow has its own address and counts on its own', async () => {
	const trigger = await createTrigger({ name: 'Deliveries: original' });
	const { workflow, credential, secret } = trigger;
	const nodes = workflow.nodes.map((node) => ({ ...node, webhookId: randomUUID() }));
	const { connections, settings } = workflow;
	const file = { name: 'Deliveries: copy', nodes, connections, settings };
	const published = await publish(rest, await rest.createWorkflow(file));
	const copy = follow(rest, published, credential, secret);
	expect(copy.url).not.toBe(trigger.url);
	await copy.accepts(copy.good());
	await trigger.assertCount();
	await assertOff(trigger);
	await copy.accepts(copy.good());
});
