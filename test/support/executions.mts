import { failureOf, type Execution } from '../../sandbox/n8n/types.mts';
import type { ExecutionSummary } from '../../sandbox/n8n/types.mts';
import { rest as shared } from './environment.mts';
import { until } from './until.mts';

// All of these read the n8n that the test files share, unless they are given another one.

const over = ['success', 'error', 'crashed', 'canceled'];
const everyStatus = [...over, 'new', 'running', 'waiting', 'unknown'];

interface Page {
	count: number;
	estimated: boolean;
	results: ExecutionSummary[];
}

/** Lists every status: without them, n8n's count leaves out executions that have not ended. */
async function pageOf(workflowId: string, limit: number, rest: typeof shared): Promise<Page> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: everyStatus }));
	const page = await rest.send<Page>('GET', `/rest/executions?limit=${limit}&filter=${filter}`);
	if (page.estimated) throw new Error('n8n only estimates the number of executions');
	return page;
}

/** How many executions n8n has stored for a workflow, whatever their status. */
export async function countExecutions(workflowId: string, rest = shared): Promise<number> {
	return (await pageOf(workflowId, 1, rest)).count;
}

/** The execution, once it has ended; waits at most `within` milliseconds. */
export async function finished(id: string, within?: number, rest = shared): Promise<Execution> {
	const end = async () => {
		// Only the status: the data of a running execution cannot always be read.
		const status = await statusOf(id, rest);
		return over.includes(status) ? status : undefined;
	};
	await until(`execution ${id} ends`, end, within);
	return await rest.getExecution(id);
}

/** The execution, once it has succeeded; fails with n8n's message if it ends otherwise. */
export async function succeeded(id: string, within?: number, rest = shared): Promise<Execution> {
	const execution = await finished(id, within, rest);
	expect([execution.status, failureOf(execution)]).toEqual(['success', undefined]);
	return execution;
}

/** The current status of an execution. */
export const statusOf = async (id: string, rest = shared): Promise<string> =>
	(await rest.send<ExecutionSummary>('GET', `/rest/executions/${id}`)).status;

/** The newest `count` executions of a workflow, each once it has ended, oldest first. */
export async function newestExecutions(workflowId: string, count: number): Promise<Execution[]> {
	const { results } = await pageOf(workflowId, count, shared);
	const executions: Execution[] = [];
	for (const { id } of results.reverse()) executions.push(await finished(id));
	return executions;
}

/** The newest execution of a workflow, once there are `count` and it has succeeded. */
export async function newestExecution(
	workflowId: string,
	count = 1,
	rest = shared,
): Promise<Execution> {
	const areThere = async () => (await countExecutions(workflowId, rest)) >= count;
	await until(`${count} executions`, areThere);
	const { results } = await pageOf(workflowId, 1, rest);
	return await succeeded(results[0]?.id ?? '', undefined, rest);
}
