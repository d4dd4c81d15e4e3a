import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { outputOf, type WorkflowNode } from '../../sandbox/n8n/types.mts';
import type { QueueMode } from '../../sandbox/queueMode/queueMode.mts';
import { environment, rest } from '../support/environment.mts';
import { newestExecutions } from '../support/executions.mts';
import { codeBlock, textFile } from '../support/markdown.mts';
import { send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { node, setNode } from '../support/workflows.mts';

const page = textFile('docs/scaling.md');
const guard = 'Once';
const next = 'Next';
/** The key by which the page distinguishes notifications. */
const key = "$json.requestId + ' ' + $json.shareStatus";
/** How later nodes read the notification, according to the page. */
const later = "{{ $('Data Collection Trigger').item.json.requestId }}";
const { databaseEnv: database, postgresBin, webhooks } = environment.queue as QueueMode;

/** n8n's Postgres node with the page's query; if it returns no row, nothing runs after it. */
const postgresNode = (id: string): WorkflowNode => ({
	...node(guard, 'n8n-nodes-base.postgres', 2.6, {
		operation: 'executeQuery',
		query: codeBlock(page, 'once.sql'),
		options: { queryReplacement: `={{ [${key}] }}` },
	}),
	credentials: { postgres: { id, name: 'Queue once' } },
});

/** n8n's Remove Duplicates node, which looks at previous executions. */
const removeDuplicatesNode = node(guard, 'n8n-nodes-base.removeDuplicates', 2, {
	operation: 'removeItemsSeenInPreviousExecutions',
	logic: 'removeItemsWithAlreadySeenKeyValues',
	dedupeValue: `={{ ${key} }}`,
	options: {},
});

const args = ['--quiet', '-v', 'ON_ERROR_STOP=1', '-c', codeBlock(page, 'table.sql')];
execFileSync(path.join(postgresBin, 'psql'), args, { env: { ...process.env, ...database } });

/** Publishes trigger, guard and a next step; counts how often that step has run. */
const follow = async (name: string, guardNode: WorkflowNode) => {
	expect(page).toContain(later);
	const then = [guardNode, setNode(next, 'seen', `=${later}`)];
	const trigger = await createTrigger({ name: `Queue once: ${name}`, then });
	/** The same webhook on each webhook process, bypassing the load balancer. */
	const both = webhooks.map(({ port }) => Object.assign(new URL(trigger.url), { port }).toString());
	const nextRuns = async (executions: number) => {
		await trigger.assertCount(executions);
		const newest = await newestExecutions(trigger.workflow.id, executions);
		for (const { status } of newest) expect(status).toBe('success');
		const outputs = newest.map((execution) => outputOf(execution, next));
		for (const { seen } of outputs.flat()) expect(String(seen)).toMatch(/^[0-9a-f]{24}$/);
		return outputs.filter(({ length }) => length > 0).length;
	};
	return { trigger, both, nextRuns };
};

test('a key in a database: once, even when both processes start it at the same moment', async () => {
	const { PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD } = database;
	const { id } = await rest.createCredential('Queue once', 'postgres', {
		host: PGHOST,
		port: Number(PGPORT),
		database: PGDATABASE,
		user: PGUSER,
		password: PGPASSWORD,
		ssl: 'disable',
		allowUnauthorizedCerts: false,
		maxConnections: 10,
		sshTunnel: false,
	});
	const { trigger, both, nextRuns } = await follow('database', postgresNode(id));
	for (let round = 0; round < 5; round++) {
		const delivery = trigger.good();
		await Promise.all(both.map((url) => send(url, delivery)));
		expect(await nextRuns(both.length)).toBe(1);
	}
});

test('Remove Duplicates: once for repetitions that come one after the other', async () => {
	const { trigger, both, nextRuns } = await follow('node', removeDuplicatesNode);
	const delivery = trigger.good();
	let runs = 0;
	for (const url of both) {
		await send(url, delivery);
		runs += await nextRuns(1);
	}
	expect(runs).toBe(1);
});
