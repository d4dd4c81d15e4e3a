import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { outputOf, type Json, type WorkflowNode } from '../../sandbox/n8n/types.mts';
import { environment, rest } from '../support/environment.mts';
import { newestExecutions } from '../support/executions.mts';
import { codeBlock, textFile } from '../support/markdown.mts';
import { send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { node, setNode } from '../support/workflows.mts';
import type { QueueMode } from './support/queueMode.mts';

const page = textFile('docs/scaling.md');
const guard = 'Once';
const next = 'Next';
/** The key by which the page distinguishes notifications. */
const key = "$json.requestId + ' ' + $json.shareStatus";
/** How later nodes read the notification, according to the page. */
const later = "{{ $('Data Collection Trigger').item.json.requestId }}";
const { databaseEnv: database, postgresBin, atEachProcess } = environment.queue as QueueMode;

/** n8n's Postgres node with the page's query; if it returns no row, nothing runs after it. */
const postgresNode = (id: string): WorkflowNode => ({
	...node(guard, 'n8n-nodes-base.postgres', 2.6, {
		operation: 'executeQuery',
		query: codeBlock(page, 'once.sql'),
		options: { queryReplacement: `={{ [${key}] }}` },
	}),
	credentials: { postgres: { id, name: 'Queue once' } },
});

const args = ['--quiet', '-v', 'ON_ERROR_STOP=1', '-c', codeBlock(page, 'table.sql')];
execFileSync(path.join(postgresBin, 'psql'), args, { env: { ...process.env, ...database } });

test('a key in a database: once, even when both processes start it at the same moment', async () => {
	expect(page).toContain(later);
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
	const then = [postgresNode(id), setNode(next, 'seen', `=${later}`)];
	const trigger = await createTrigger({ name: 'Queue once', then });
	const both = atEachProcess(trigger.url);
	for (let round = 0; round < 5; round++) {
		const { body, headers } = trigger.good();
		await Promise.all(both.map((url) => send(url, { body, headers })));
		await trigger.assertCount(both.length);
		const newest = await newestExecutions(trigger.workflow.id, both.length);
		expect(newest.map(({ status }) => status)).toStrictEqual(both.map(() => 'success'));
		const { requestId } = JSON.parse(body.toString()) as Json;
		const seen = newest.flatMap((execution) => outputOf(execution, next));
		expect(seen.map((item) => item.seen)).toStrictEqual([requestId]);
	}
});
