import assert from 'node:assert/strict';
import { exampleNames, findNode, readExample } from '../../sandbox/n8n/examples.mts';
import { triggerType, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { failureOf, outputOf, type Execution, type Json } from '../../sandbox/n8n/types.mts';
import type { Workflow, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { n8nUrl } from '../support/environment.mts';
import { countExecutions, finished, newestExecutions } from '../support/executions.mts';
import { openBench, type ExampleBench } from '../support/examples.mts';
import { openFront, type Front } from '../support/front.mts';
import { fillInForm } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { actionNode, chain, manualName, manualNode } from '../support/workflows.mts';

const ada = { name: 'Ada Example', email: 'ada@example.com' };
const scheduleType = 'n8n-nodes-base.scheduleTrigger';

type PinData = Record<string, Array<{ json: Json }>>;
const pinsOf = ({ pinData }: WorkflowFile) => pinData as PinData;

/** The fields with their order and types. */
const shapeOf = (item: Json | undefined) =>
	Object.entries(item ?? {}).map(
		([name, value]) => `${name}: ${value === null ? 'null' : typeof value}`,
	);

describe('the pinned samples of the examples', async () => {
	let bench: ExampleBench;
	let front: Front;
	beforeAll(async () => {
		front = await openFront();
		bench = await openBench('pinned', { productionBaseUrl: front.url });
	});
	afterAll(async () => {
		await front.close();
		await bench.close();
	});

	const load = (name: string) => bench.load(name, { webhookUrl: (own) => triggerUrl(n8nUrl, own) });
	/** Completes a request that reports to the workflow; answers the execution that it starts. */
	const startedBy = async (workflow: Workflow): Promise<Execution> => {
		const node = actionNode('Create', bench.credentials.dataCollection, {
			...{ resource: 'collectionRequest', operation: 'create', templateId: 'e2e-template' },
			...{ minimumParticipants: 1, maximumParticipants: 1, participantsMode: 'json' },
			...{ participantsJson: JSON.stringify([ada]), output: 'collectionRequest' },
			...{ notify: 'trigger', webhookUrl: triggerUrl(n8nUrl, workflow) },
			additionalFields: { webhookIdentifier: 'Real' },
		});
		const { id } = await bench.rest.createWorkflow(chain('E2E pinned', [manualNode(), node]));
		const creating = await finished(bench.rest, await bench.rest.runManually(id, manualName));
		const earlier = await countExecutions(bench.rest, workflow.id);
		await fillInForm(String(outputOf(creating, 'Create')[0]?.guestLink), ada, 'Somewhere');
		await until('the notification has started it', async () =>
			(await countExecutions(bench.rest, workflow.id)) > earlier ? true : undefined,
		);
		const [execution] = await newestExecutions(bench.rest, workflow.id, 1);
		assert.ok(execution);
		return execution;
	};
	const manually = async ({ id }: Workflow, start: string | undefined): Promise<Execution> => {
		const execution = await finished(bench.rest, await bench.rest.runManually(id, start ?? ''));
		assert.equal(execution.status, 'success', failureOf(execution));
		return execution;
	};

	for (const name of await exampleNames()) {
		const file = await readExample(name);
		const pins = pinsOf(file);
		const trigger = findNode(file, triggerType)?.name;

		test(`${name}: ${trigger === undefined ? 'nothing is pinned' : 'the trigger has a sample'}`, () => {
			if (trigger === undefined) return assert.deepEqual(pins, {});
			const [sample, ...more] = (pins[trigger] ?? []).map(({ json }) => json);
			assert.ok(sample);
			assert.equal(more.length, 0, 'a notification is one item');
			assert.equal(sample.event, 'collection_request.updated');
			assert.equal(sample.shareStatus, 'completed');
			assert.match(String(sample.requestId), /^[0-9a-f]{24}$/);
			assert.equal(
				sample.guestLink,
				`https://collect.example.com/request/${String(sample.requestId)}`,
			);
			assert.equal(sample.notifiedAt, new Date(Number(sample.timestamp)).toISOString());
			for (const { json } of Object.values(pins).flat()) {
				assert.equal(json.requestId, sample.requestId);
			}
		});
		if (trigger === undefined) continue;

		test(`${name}: every pinned item has the fields of a real one, and is not used for one`, async () => {
			const execution = await startedBy(await load(name));
			for (const [node, items] of Object.entries(pins)) {
				const [real] = outputOf(execution, node);
				assert.ok(real, node);
				assert.notEqual(real.requestId, items[0]?.json.requestId);
				for (const { json } of items) assert.deepEqual(shapeOf(json), shapeOf(real), node);
			}
		});

		test(`${name}: executed in the editor, it needs neither people nor the service`, async () => {
			const workflow = await load(name);
			// This makes the table, as its note says.
			const schedule = findNode(file, scheduleType)?.name;
			if (schedule !== undefined) await manually(workflow, schedule);
			front.seen.length = 0;
			const execution = await manually(workflow, trigger);
			assert.deepEqual(front.seen, []);
			for (const [node, items] of Object.entries(pins)) {
				assert.deepEqual(
					outputOf(execution, node),
					items.map(({ json }) => json),
				);
			}
		});
	}
});
