import { readFileSync } from 'node:fs';
import { settled } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { withHeader } from '../support/delivery.mts';
import { environment, rest } from '../support/environment.mts';
import { newestExecution, nodeName, runNode } from '../support/executions.mts';
import { containing } from '../support/matchers.mts';
import { createForTwo } from '../support/people.mts';
import { send } from '../support/send.mts';
import { createTrigger, unpublish } from '../support/trigger.mts';
import { chain, triggerName, triggerNode } from '../support/workflows.mts';

test('the test URL: a forged delivery leaves it listening, a good one starts once', async () => {
	const trigger = await createTrigger({ name: 'Deliveries: test URL' });
	// What the editor's button sends.
	const start = { triggerToStartFrom: { name: triggerName } };
	await rest.send('POST', `/rest/workflows/${trigger.workflow.id}/run`, start);
	const testUrl = trigger.url.replace('/webhook/', '/webhook-test/');
	const forged = withHeader(trigger.good(), 'X-SVC-Signature', '0'.repeat(64));
	expect(await send(testUrl, forged)).toBe('401 unverified');
	expect(await send(testUrl, trigger.good())).toBe('200 accepted');
	await trigger.assertCount(1);
	const execution = await newestExecution(trigger.workflow.id);
	expect([execution.mode, outputOf(execution, triggerName).length]).toEqual(['manual', 1]);
	expect(await send(testUrl, trigger.good())).toMatch(/^404 /);
});

test('Create asks n8n for the trigger: nothing starts, and a hint says that it is unpublished', async () => {
	const name = 'Deliveries: asked by Create';
	const { url, workflow, credential, assertCount } = await createTrigger({ name });
	const parameters = { ...createForTwo, notify: 'trigger', webhookUrl: url };
	const hintsOfCreate = async () => {
		const { data } = await runNode({ name, credential, parameters });
		return data.resultData.runData[nodeName]?.map(({ hints = [] }) => hints);
	};
	const refusals = () =>
		environment.logs.flatMap((file) => readFileSync(file, 'utf8').split('unknown webhook')).length;
	const answerToGet = async () => ((await (await fetch(url)).json()) as Json).message;

	const before = refusals();
	expect([await hintsOfCreate(), refusals()]).toEqual([[[]], before]);
	expect(await answerToGet()).toMatch(/^This webhook is not registered for GET requests\./);
	await unpublish(workflow);
	const message = containing(`at ${url}: no published workflow has this Webhook URL`);
	expect(await hintsOfCreate()).toMatchObject([[{ message }]]);
	expect(await answerToGet()).toMatch(/^The requested webhook "GET .*" is not registered\.$/);
	await assertCount();
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
