import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import { failureOf, type Execution } from '../../sandbox/n8n/types.mts';
import type { ExecutionSummary } from '../../sandbox/n8n/types.mts';
import { until } from './until.mts';

const over = ['success', 'error', 'crashed', 'canceled'];
const everyStatus = [...over, 'new', 'running', 'waiting', 'unknown'];

interface Page {
	count: number;
	estimated: boolean;
	results: ExecutionSummary[];
}

/** Lists every status: without them, n8n's count leaves out executions that have not ended. */
async function pageOf(rest: N8nRest, workflowId: string, limit: number): Promise<Page> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: everyStatus }));
	const page = await rest.send<Page>('GET', `/rest/executions?limit=${limit}&filter=${filter}`);
	if (page.estimated) throw new Error('n8n only estimates the number of executions');
	return page;
}

/** How many executions n8n has stored for a workflow, whatever their status. */
export async function countExecutions(rest: N8nRest, workflowId: string): Promise<number> {
	return (await pageOf(rest, workflowId, 1)).count;
}

/** The execution, once it has ended; waits at most `within` milliseconds. */
export async function finished(rest: N8nRest, id: string, within?: number): Promise<Execution> {
	const end = async () => {
		// Only the status: the data of a running execution cannot always be read.
		const status = await statusOf(rest, id);
		return over.includes(status) ? status : undefined;
	};
	await until(`execution ${id} ends`, end, within);
	return await rest.getExecution(id);
}

/** The execution, once it has succeeded; fails with n8n's message if it ends otherwise. */
export async function succeeded(rest: N8nRest, id: string, within?: number): Promise<Execution> {
	const execution = await finished(rest, id, within);
	expect([execution.status, failureOf(execution)]).toEqual(['success', undefined]);
	return execution;
}

/** The current status of an execution. */
export const statusOf = async (rest: N8nRest, id: string): Promise<string> =>
	(await rest.send<ExecutionSummary>('GET', `/rest/executions/${id}`)).status;

/** The newest `count` executions of a workflow, each once it has ended, oldest first. */
export async function newestExecutions(
	rest: N8nRest,
	workflowId: string,
	count: number,
): Promise<Execution[]> {
	const { results } = await pageOf(rest, workflowId, count);
	const executions: Execution[] = [];
	for (const { id } of results.reverse()) executions.push(await finished(rest, id));
	return executions;
}

/** The newest execution of a workflow, once there are `count` and it has succeeded. */
export async function newestExecution(
	rest: N8nRest,
	workflowId: string,
	count = 1,
): Promise<Execution> {
	const areThere = async () => (await countExecutions(rest, workflowId)) >= count;
	await until(`${count} executions`, areThere);
	const { results } = await pageOf(rest, workflowId, 1);
	return await succeeded(rest, results[0]?.id ?? '');
}
