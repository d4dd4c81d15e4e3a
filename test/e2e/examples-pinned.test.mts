import assert from 'node:assert/strict';
import { exampleNames, findNode, readExample, triggerType } from '../../sandbox/n8n/examples.mts';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { openBench, runFrom } from '../support/examples.mts';
import { countExecutions, newestExecution } from '../support/executions.mts';
import { bothAnswer } from '../support/sandboxService.mts';

const bench = await openBench('pinned');

/** The fields in order, with their types. */
const shapeOf = (item: Json | undefined) =>
	Object.entries(item ?? {}).map(
		([name, value]) => `${name}: ${value === null ? 'null' : typeof value}`,
	);

for (const name of await exampleNames()) {
	const file = await readExample(name);
	const pins = file.pinData as Record<string, Array<{ json: Json }>>;
	const trigger = findNode(file, triggerType)?.name;
	if (trigger === undefined) {
		test(`${name}: nothing is pinned`, () => expect(pins).toStrictEqual({}));
		continue;
	}

	const load = async () => {
		const workflow = await bench.load(name);
		// This creates the table, as its note says.
		const schedule = findNode(file, 'n8n-nodes-base.scheduleTrigger')?.name;
		if (schedule !== undefined) await runFrom(workflow, schedule);
		return workflow;
	};

	test(`${name}: every pinned item has the fields of a real one, and is not used for one`, async () => {
		const workflow = await load();
		const { guestLink } = await bench.create(workflow, { webhookIdentifier: 'Real' });
		const earlier = await countExecutions(workflow.id);
		await bothAnswer(guestLink);
		const execution = await newestExecution(workflow.id, earlier + 1);
		for (const [node, items] of Object.entries(pins)) {
			const [real] = outputOf(execution, node);
			assert.ok(real, node);
			expect(real.requestId).not.toBe(items[0]?.json.requestId);
			for (const { json } of items) expect(shapeOf(json)).toStrictEqual(shapeOf(real));
		}
	});

	test(`${name}: executed in the editor, it needs neither people nor the service`, async () => {
		const workflow = await load();
		bench.front.seen.length = 0;
		const execution = await runFrom(workflow, trigger);
		expect(bench.front.seen).toStrictEqual([]);
		for (const [node, items] of Object.entries(pins)) {
			const sample = items.map(({ json }) => json);
			expect(outputOf(execution, node)).toStrictEqual(sample);
		}
	});
}
