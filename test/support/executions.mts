import { failureOf, type Credential, type Execution } from '../../sandbox/n8n/types.mts';
import type { ExecutionSummary, Json } from '../../sandbox/n8n/types.mts';
import type { WorkflowFile, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { n8nUrl, rest as shared } from './environment.mts';
import { actionNode, chain, manualName, manualNode } from './workflows.mts';

// All of these use the n8n that the test files share, unless they are given another one.

const over = ['success', 'error', 'crashed', 'canceled'];
const everyStatus = [...over, 'new', 'running', 'waiting', 'unknown'];

/** n8n looks for expired waits only once a minute; in milliseconds, for a busy machine. */
export const waitTracker = 150_000;

interface Page {
	count: number;
	estimated: boolean;
	results: ExecutionSummary[];
}

/** The newest executions, whatever their status: by default, n8n leaves out those that have not ended. */
async function newest(limit: number, filter: Json, rest = shared): Promise<Page> {
	const given = encodeURIComponent(JSON.stringify({ ...filter, status: everyStatus }));
	const page = await rest.send<Page>('GET', `/rest/executions?limit=${limit}&filter=${given}`);
	if (page.estimated) throw new Error('n8n only estimates the number of executions');
	return page;
}

/** How many executions n8n has stored for a workflow, whatever their status. */
export async function countExecutions(workflowId: string): Promise<number> {
	return (await newest(1, { workflowId })).count;
}

/** The current status of an execution: if possible without its data, which costs n8n much more. */
export async function statusOf(id: string, rest = shared): Promise<string> {
	const { results } = await newest(25, {}, rest);
	const found = results.find((execution) => execution.id === id);
	return (found ?? (await rest.send<ExecutionSummary>('GET', `/rest/executions/${id}`))).status;
}

/** The execution, once it has ended; waits at most `within` milliseconds. */
export async function finished(id: string, within?: number, rest = shared): Promise<Execution> {
	const hasEnded = async () => over.includes(await statusOf(id, rest));
	await until(`execution ${id} ends`, hasEnded, within);
	return await rest.getExecution(id);
}

/** The execution, once it has succeeded; fails with n8n's message if it ends otherwise. */
export async function succeeded(id: string, within?: number): Promise<Execution> {
	const execution = await finished(id, within);
	expect([execution.status, failureOf(execution)]).toEqual(['success', undefined]);
	return execution;
}

/** Waits until n8n has stored the execution as waiting; fails if it ends instead. */
export async function waits(id: string): Promise<void> {
	const status = await until('the execution waits or ends', async () => {
		const now = await statusOf(id);
		return now === 'new' || now === 'running' ? undefined : now;
	});
	if (status !== 'waiting') throw new Error(JSON.stringify(await shared.getExecution(id)));
}

/** The newest `count` executions of a workflow, each once it has ended, oldest first. */
export async function newestExecutions(workflowId: string, count: number): Promise<Execution[]> {
	const { results } = await newest(count, { workflowId });
	return await Promise.all(results.reverse().map(({ id }) => finished(id)));
}

/** The ID of a workflow's newest execution, once there are `count`. */
export async function newestId(workflowId: string, count = 1): Promise<string> {
	return await until(`${count} executions`, async () => {
		if ((await countExecutions(workflowId)) < count) return undefined;
		// Only now: n8n lists and counts with two queries, and one may be stored between them.
		return (await newest(1, { workflowId })).results[0]?.id;
	});
}

/** The newest execution of a workflow, once there are `count` and it has succeeded. */
export const newestExecution = async (workflowId: string, count = 1): Promise<Execution> =>
	await succeeded(await newestId(workflowId, count));

export const nodeName = 'Data Collection';

interface NodeRunOptions {
	/** The n8n that all files share by default. */
	rest?: typeof shared;
	name: string;
	credential: Credential;
	parameters: Json;
	/** The JSON of its input items; one empty item by default. */
	items?: Json[];
	/** Settings of the node, for example `retryOnFail`. */
	settings?: Json;
}

/** Starts a workflow with only the action node; returns the execution's ID. */
export async function startNode(options: NodeRunOptions): Promise<string> {
	const { rest = shared, name, credential, parameters, items = [{}], settings } = options;
	const node = { ...actionNode(nodeName, credential, parameters), ...settings };
	const pinData = { [manualName]: items.map((json) => ({ json })) };
	const workflow = { ...chain(name, [manualNode(), node]), pinData };
	const { id } = await rest.createWorkflow(workflow);
	return await rest.runManually(id, manualName);
}

/** The same, but returns the execution once it has ended, successfully or not. */
export const runNode = async (options: NodeRunOptions): Promise<Execution> =>
	await finished(await startNode(options), undefined, options.rest);

/** Stores a workflow and runs it from its manual trigger until it succeeds. */
export async function runWorkflow(workflow: WorkflowFile): Promise<Execution> {
	const { id } = await shared.createWorkflow(workflow);
	return await succeeded(await shared.runManually(id, manualName));
}

/** Starts a published workflow by its webhook; resolves to the execution, once n8n has stored it. */
export async function startByWebhook(id: string, webhook: WorkflowNode, body: Json = {}) {
	const response = await fetch(`${n8nUrl}/webhook/${String(webhook.parameters.path)}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	expect(response.status).toBe(200);
	// The webhook of an older n8n responds before the execution is stored.
	const stored = async () => (await shared.listExecutions(id)).at(0)?.id;
	return await until('the execution is stored', stored);
}
