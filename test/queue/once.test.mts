import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { outputOf, type WorkflowNode } from '../../sandbox/n8n/types.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { openRest } from '../support/environment.mts';
import { newestExecutions } from '../support/executions.mts';
import { send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { setNode } from '../support/workflows.mts';
import { postgresNode, removeDuplicatesNode } from './support/onceNodes.mts';
import { at, partsOf } from './support/parts.mts';
import { credentialFields, runClient } from './support/postgres.mts';

const page = readFileSync(path.join(root, 'docs', 'scaling.md'), 'utf8');
const guard = 'Once';
const next = 'Next';
/** How the page says that later nodes read the notification. */
const later = "{{ $('Data Collection Trigger').item.json.requestId }}";

/** A block of docs/scaling.md by its name. */
function block(name: string): string {
	const [, after = ''] = page.split(`\`\`\`sql ${name}\n`);
	const [code = ''] = after.split('```');
	assert.notEqual(code, '', name);
	return code;
}

describe('W80 a step that happens once, as docs/scaling.md shows it', () => {
	const rest = openRest();
	let urls: (url: string) => string[];
	beforeAll(async () => {
		const webhooks = await partsOf('webhook');
		urls = (url) => webhooks.map((webhook) => at(webhook, url));
		await runClient('psql', ['--quiet', '-v', 'ON_ERROR_STOP=1', '-c', block('table.sql')]);
	});

	/** Publishes trigger, guard and a next step; counts how often the next one has run. */
	const follow = async (name: string, node: WorkflowNode) => {
		assert.ok(page.includes(later));
		const then = [node, setNode(next, 'seen', `=${later}`)];
		const trigger = await createTrigger({ rest, name: `Queue once: ${name}`, then });
		const both = urls(trigger.url);
		const nextRuns = async (executions: number) => {
			await trigger.assertCount(executions);
			const newest = await newestExecutions(rest, trigger.workflow.id, executions);
			assert.deepEqual(
				newest.map(({ status }) => status),
				newest.map(() => 'success'),
			);
			const outputs = newest.map((execution) => outputOf(execution, next));
			for (const { seen } of outputs.flat()) assert.match(String(seen), /^[0-9a-f]{24}$/);
			return outputs.filter(({ length }) => length > 0).length;
		};
		return { trigger, both, nextRuns };
	};

	test('W80 a key in a database: once, even when both processes start it at the same moment', async () => {
		const credential = await rest.createCredential('Queue once', 'postgres', credentialFields());
		const node = postgresNode(guard, credential, block('once.sql'));
		const { trigger, both, nextRuns } = await follow('database', node);
		for (let round = 0; round < 5; round++) {
			const delivery = trigger.good();
			await Promise.all(both.map((url) => send(url, delivery)));
			assert.equal(await nextRuns(both.length), 1);
		}
	});

	test('W80 Remove Duplicates: once for repetitions that come one after the other', async () => {
		const { trigger, both, nextRuns } = await follow('node', removeDuplicatesNode(guard));
		const delivery = trigger.good();
		let runs = 0;
		for (const url of both) {
			await send(url, delivery);
			runs += await nextRuns(1);
		}
		assert.equal(runs, 1);

		const twice = trigger.good();
		await Promise.all(both.map((url) => send(url, twice)));
		const together = await nextRuns(both.length);
		assert.ok(together >= 1 && together <= both.length, `${together} times`);
	});
});
