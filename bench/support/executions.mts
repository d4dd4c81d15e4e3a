import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Execution } from '../../sandbox/n8n/types.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { poll } from '../../sandbox/shared/poll.mts';
import type { Deployment } from './deployment.mts';

const pageSize = 250;
const patience = 60_000;
const pause = 200;
const returnWithin = 400_000;
/** Without `waiting`, which is how such executions should be. */
export const underWay = ['new', 'running', 'unknown'];

interface Page {
	data: Execution[];
	nextCursor: string | null;
}

/** Reads the executions that n8n has stored, hundreds at a time, through its public API. */
export interface Reader {
	/** Every execution of a workflow with its data, newest first, one page at a time. */
	each(workflowId: string): AsyncGenerator<Execution>;
	/** The same as a list, oldest first. */
	all(workflowId: string): Promise<Execution[]>;
	/** How many executions of a workflow have one of the statuses. */
	count(workflowId: string, statuses: string[]): Promise<number>;
	/** Waits until none is under way or nothing changes for `idle` ms; resolves to how many are. */
	settle(workflowId: string, idle: number): Promise<number>;
}

/** Creates its own API key; works for an n8n in one process or in several. */
export async function createReader(rest: N8nRest, url: string): Promise<Reader> {
	const { rawApiKey } = await rest.send<{ rawApiKey: string }>('POST', '/rest/api-keys', {
		label: randomUUID(),
		expiresAt: null,
		scopes: ['execution:read', 'execution:list'],
	});

	const page = async (workflowId: string, cursor: string | null): Promise<Page> => {
		const query = new URLSearchParams({ workflowId, limit: String(pageSize) });
		query.set('includeData', 'true');
		query.set('ignoreDataSizeLimit', 'true');
		if (cursor !== null) query.set('cursor', cursor);
		const response = await fetch(`${url}/api/v1/executions?${query.toString()}`, {
			headers: { 'x-n8n-api-key': rawApiKey },
			signal: AbortSignal.timeout(patience),
		});
		if (!response.ok)
			throw new Error(`n8n responded with ${response.status} to a list of executions`);
		return (await response.json()) as Page;
	};

	const count = async (workflowId: string, status: string[]) => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const route = `/rest/executions?limit=1&filter=${filter}`;
		const found = await rest.send<{ count: number; estimated: boolean }>('GET', route);
		if (found.estimated) throw new Error('n8n only estimates the number of executions');
		return found.count;
	};

	async function* each(workflowId: string): AsyncGenerator<Execution> {
		for (let cursor: string | null = null; ; ) {
			const { data, nextCursor } = await page(workflowId, cursor);
			yield* data;
			if (nextCursor === null) return;
			cursor = nextCursor;
		}
	}

	return {
		count,
		each,
		all: async (workflowId) => {
			const found: Execution[] = [];
			for await (const execution of each(workflowId)) found.unshift(execution);
			return found;
		},
		async settle(workflowId, idle) {
			let before: number | undefined;
			for (let deadline = Date.now() + idle; ; await sleep(pause)) {
				const left = await count(workflowId, underWay).catch(() => undefined);
				if (left === 0) return 0;
				if (left !== before) deadline = Date.now() + idle;
				if (Date.now() > deadline && left !== undefined) return left;
				// n8n is restarting, which has a separate time limit.
				if (Date.now() > deadline + returnWithin) throw new Error('n8n has not come back');
				before = left;
			}
		},
	};
}

/** The execution's data as text, to search in; even an interrupted execution has its input. */
export const textOf = ({ data }: Execution) => JSON.stringify(data ?? {});

/** Executions of an n8n in one process, read from its database: asking n8n would cost its time. */
export interface Database {
	/** How many executions of a workflow there are, in any status. */
	count(workflowId: string): number;
	/** Waits until exactly that many have succeeded; resolves to the time when it saw that. */
	succeeded(workflowId: string, expected: number): Promise<number>;
}

/** Opens the database of a deployment in one process. */
export function openDatabase({ folder }: Pick<Deployment, 'folder'>): Database {
	const file = path.join(folder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
	const counting = (condition: string) => {
		const query = `SELECT count(*) AS count FROM execution_entity WHERE workflowId = ?${condition}`;
		const statement = database.prepare(query);
		return (workflowId: string) => (statement.get(workflowId) as { count: number }).count;
	};
	const succeeded = counting(" AND status = 'success'");
	return {
		count: counting(''),
		async succeeded(workflowId, expected) {
			const [count, at] = await poll({
				expected: `${expected} executions to succeed`,
				within: 300_000,
				pause: 20,
				read: () => {
					const now = succeeded(workflowId);
					return Promise.resolve(now >= expected ? ([now, Date.now()] as const) : undefined);
				},
				describe: () => Promise.resolve(`${succeeded(workflowId)} have.`),
			});
			if (count === expected) return at;
			throw new Failure(`${count} executions in place of ${expected}`);
		},
	};
}
