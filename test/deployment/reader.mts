import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import { outputOf, type Execution, type Json } from '../../sandbox/n8n/types.mts';

const pageSize = 250;
const patience = 60_000;
const pause = 200;
const returnWithin = 400_000;
/** Without the waiting ones, which are as they should be. */
const underWay = ['new', 'running', 'unknown'];

interface Page {
	data: Execution[];
	nextCursor: string | null;
}

/** Reads what n8n has stored of executions, hundreds at a time, by its public API. */
export interface Reader {
	/** Every execution of a workflow with its data, newest first, a page at a time. */
	each(workflowId: string): AsyncGenerator<Execution>;
	/** The same as a list, oldest first. */
	all(workflowId: string): Promise<Execution[]>;
	/** How many executions of a workflow have one of the statuses. */
	count(workflowId: string, statuses: string[]): Promise<number>;
	/** Waits until none is under way; answers how many are when nothing has changed for `idle` ms. */
	settle(workflowId: string, idle: number): Promise<number>;
}

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
		if (!response.ok) throw new Error(`n8n answered ${response.status} to a list of executions`);
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
				// It is on its way back, for which it gets its own time.
				if (Date.now() > deadline + returnWithin) throw new Error('n8n has not come back');
				before = left;
			}
		},
	};
}

/** What of an execution is looked for in its data: also one that was cut off holds its input. */
export const textOf = ({ data }: Execution) => JSON.stringify(data ?? {});

/** The only item of a node's output; undefined when there is none. */
export const itemOf = (execution: Execution, node: string): Json | undefined =>
	execution.data?.resultData === undefined ? undefined : outputOf(execution, node)[0];
