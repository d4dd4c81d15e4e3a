import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { actionNode, chain, splitNode, webhookNode } from '../support/workflows.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { startByWebhook } from '../support/executions.mts';
import { queue, revive, startedBy } from '../support/queue.mts';
import { requestsOf, slowDown } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';

const size = 100;
const credential = await createCredential('Crashes: create', { webhookSecret: newSecret() });
const webhookIdentifier = randomUUID();

/** Publishes a workflow that creates a collection request for each item, and starts it. */
async function start(): Promise<string> {
	const begin = webhookNode();
	const create = actionNode('Create', credential, {
		resource: 'collectionRequest',
		operation: 'create',
		templateId: '=item-{{ $json.index }}',
		// Without a URL the service would not return the identifier.
		notify: 'trigger',
		webhookUrl: `${serviceUrl}/nobody`,
		additionalFields: { webhookIdentifier },
		options: { concurrency: 25 },
	});
	const file = chain('Crashes: create', [begin, splitNode('body.items'), create]);
	const { id } = await publish(rest, await rest.createWorkflow(file));
	const items = Array.from({ length: size }, (_, index) => ({ index }));
	return await startByWebhook(id, begin, { items });
}

test('a worker dies in the middle of 100 creates: nothing is created twice', async () => {
	await slowDown(300);
	const executionId = await start();
	const created = async () => (await requestsOf(webhookIdentifier)).length;
	await until('half of them are created', async () => (await created()) > size / 2);
	const [name] = startedBy(executionId);
	await queue.workers.find((worker) => worker.name === name)!.kill();
	await slowDown(0);
	await revive();
	// n8n takes up to a minute to notice that a worker is gone.
	const status = await until(
		'n8n knows that the execution has ended',
		async () => {
			const now = (await rest.getExecution(executionId)).status;
			return now === 'running' ? undefined : now;
		},
		150_000,
	);
	expect(['crashed', 'error']).toContain(status);
	const templates = (await requestsOf(webhookIdentifier)).map(({ request }) => request.template);
	const indexes = templates.map((template) => (template as { _id: string })._id);
	expect(new Set(indexes).size).toBe(indexes.length);
	expect(indexes.length).toBeGreaterThan(size / 2);
});
