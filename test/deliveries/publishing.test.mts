import { settled } from '../../sandbox/n8n/publish.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { withHeader } from '../support/delivery.mts';
import { rest } from '../support/environment.mts';
import { newestExecution } from '../support/executions.mts';
import { assertAnswer, send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { chain, triggerName, triggerNode } from '../support/workflows.mts';

test('the test URL: a forged delivery leaves it listening, a good one starts once', async () => {
	const trigger = await createTrigger({ name: 'Deliveries: test URL' });
	// What the editor's button sends.
	const start = { triggerToStartFrom: { name: triggerName } };
	await rest.send('POST', `/rest/workflows/${trigger.workflow.id}/run`, start);
	const testUrl = trigger.url.replace('/webhook/', '/webhook-test/');
	const forged = withHeader(trigger.good(), 'X-SVC-Signature', '0'.repeat(64));
	assertAnswer(await send(testUrl, forged), 'unverified');
	assertAnswer(await send(testUrl, trigger.good()), 'accepted');
	await trigger.assertCount(1);
	const execution = await newestExecution(trigger.workflow.id);
	expect([execution.mode, outputOf(execution, triggerName).length]).toEqual(['manual', 1]);
	expect((await send(testUrl, trigger.good())).status).toBe(404);
});

test('publishing with an empty secret fails and says why', async () => {
	const credential = await createCredential('Deliveries: empty secret');
	const file = chain('Deliveries: empty secret', [triggerNode(credential)]);
	const created = await rest.createWorkflow(file);
	await rest.activate(created);
	const { status, triggers } = await settled(rest, created);
	expect(status).toBe('failed');
	expect(triggers[0]?.errorMessage ?? '').toMatch(/no webhook secret/);
	await rest.deactivate(created.id);
});
