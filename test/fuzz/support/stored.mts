import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseExecutionData } from '../../../sandbox/n8n/rest.mts';
import { poll } from '../../../sandbox/shared/poll.mts';
import { triggerName } from '../../support/workflows.mts';
import { addTraces, noTraces, type Traces } from './leaks.mts';
import type { Notification } from './reference.mts';
import type { World } from './request.mts';

/** What n8n has stored of the workflow's executions. */
export interface Stored {
	/** How often each item was emitted, by {@link contentOf}. */
	items: Map<string, number>;
	executions: number;
	/** Executions that did not succeed. */
	failed: number;
	/** What could give a secret away in one of them. */
	traces: Traces;
}

/** What identifies an item, as text. */
export const contentOf = ({ event, requestId, shareStatus }: Notification) =>
	JSON.stringify([event, requestId, shareStatus]);

function itemOf(data: string): string {
	const { resultData } = parseExecutionData(data);
	const [items = []] = resultData.runData[triggerName]?.[0]?.data?.main ?? [];
	const { event, requestId, shareStatus } = items?.[0]?.json ?? {};
	return JSON.stringify([event, requestId, shareStatus ?? null]);
}

/** Reads n8n's database once every execution has ended. */
export async function readStored(userFolder: string, id: string, world: World): Promise<Stored> {
	const file = path.join(userFolder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
	const stored: Stored = { items: new Map(), executions: 0, failed: 0, traces: noTraces() };
	const underWay = database.prepare(
		`SELECT count(*) AS number FROM execution_entity WHERE status IN ('new', 'running')`,
	);
	await poll({
		expected: 'every execution to end',
		within: 120_000,
		read: () => Promise.resolve(underWay.get()?.number === 0 ? true : undefined),
	});
	const rows = database.prepare(
		`SELECT status, data FROM execution_entity JOIN execution_data ON executionId = id
		WHERE workflowId = ?`,
	);
	for (const { status, data } of rows.iterate(id)) {
		const text = String(data);
		const item = itemOf(text);
		stored.executions += 1;
		stored.failed += status === 'success' ? 0 : 1;
		stored.items.set(item, (stored.items.get(item) ?? 0) + 1);
		addTraces(stored.traces, text, world);
	}
	database.close();
	return stored;
}
