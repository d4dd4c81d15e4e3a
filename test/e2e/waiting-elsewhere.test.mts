import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf, type Json, type WorkflowNode } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { finished, statusOf, succeeded } from '../support/executions.mts';
import { openFront } from '../support/front.mts';
import { complete } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import {
	actionNode,
	callNode,
	calledNode,
	chain,
	manualName,
	manualNode,
	webhookNode,
} from '../support/workflows.mts';

// Waits in another execution than the one in which Create ran: nothing is reported to them.

const front = await openFront();
const credential = await createCredential('E2E waits elsewhere', {
	...{ productionBaseUrl: front.url, webhookSecret: newSecret() },
});

const ours = (name: string, parameters: Json) => ({
	...actionNode(name, credential, { resource: 'collectionRequest', ...parameters }),
	webhookId: randomUUID(),
});
const create = (name = 'Create', parameters: Json = {}) =>
	ours(name, { operation: 'create', templateId: 't1', ...parameters });
const look = () => ours('Look', { operation: 'get', requestId: '={{ $json.requestId }}' });
const wait = (parameters: Json = {}) => ours('Wait', { operation: 'wait', ...parameters });
const byId = { which: 'requestId' };
const limit = { limitWaitTime: true, resumeAmount: 5, resumeUnit: 'hours' };

/** Runs a workflow whose second node fails, and retries it; resolves to the ID of the retry. */
async function retried(name: string, loadWorkflow: boolean, ...then: WorkflowNode[]) {
	const begin = webhookNode();
	const file = chain(`E2E waits elsewhere: ${name}`, [begin, create(), look(), ...then]);
	const workflow = await publish(rest, await rest.createWorkflow(file));
	front.decide = ({ method }) => (method === 'GET' ? { status: 400, body: {} } : undefined);
	await fetch(`${n8nUrl}/webhook/${String(begin.parameters.path)}`, { method: 'POST' });
	const first = await until('the first execution has failed', async () =>
		(await rest.listExecutions(workflow.id)).find(({ status }) => status === 'error'),
	);
	front.decide = undefined;
	await rest.send('POST', `/rest/executions/${first.id}/retry`, { loadWorkflow });
	const second = await until('the retry is stored', async () =>
		(await rest.listExecutions(workflow.id)).find(({ id }) => id !== first.id),
	);
	return second.id;
}

for (const [title, loadWorkflow] of [
	['the original', false],
	['the current', true],
] as const) {
	test(`a retry with ${title} workflow is refused, because the first execution is notified`, async () => {
		const execution = await finished(await retried(title, loadWorkflow, wait()));
		expect(execution.status).toBe('error');
		expect(String(failureOf(execution))).toMatch(
			/no status changes are reported to this execution/,
		);
	});
}

test('a retry waits if it has a time limit', async () => {
	const id = await retried('limit', false, wait(limit));
	await until('it waits', async () => (await statusOf(id)) === 'waiting');
});

test('a retry waits for what it has created itself', async () => {
	const id = await retried('own', false, create('Create again'), wait(byId));
	await until('it waits', async () => (await statusOf(id)) === 'waiting');
});

test('a wait for a collection request of the workflow that called it is refused', async () => {
	const child = chain('E2E waits elsewhere: called', [calledNode(), wait(byId)]);
	const { id } = await publish(rest, await rest.createWorkflow(child));
	const begin = webhookNode();
	const call = callNode(id, { workflowInputs: { mappingMode: 'defineBelow', value: {} } });
	const file = chain('E2E waits elsewhere: caller', [begin, create(), call]);
	const workflow = await publish(rest, await rest.createWorkflow(file));
	await fetch(`${n8nUrl}/webhook/${String(begin.parameters.path)}`, { method: 'POST' });
	const execution = await until('it ends', async () =>
		(await rest.listExecutions(workflow.id)).find(({ status }) => status === 'error'),
	);
	const ended = await finished(execution.id);
	expect(String(failureOf(ended))).toMatch(/no status changes are reported to this execution/);
});

describe('step by step in the editor', () => {
	/** Executes the steps one by one, as the editor's button does; resolves to the last execution. */
	async function steps(name: string, notify: string, pinned = false) {
		const nodes = [manualNode(), create('Create', { notify }), wait()];
		const file = { ...chain(`E2E waits elsewhere: ${name}`, nodes), pinData: {} };
		const workflow = await rest.createWorkflow(file);
		const run = async (nodeName: string, more: Json) => {
			const start = { destinationNode: { nodeName, mode: 'inclusive' }, ...more };
			const route = `/rest/workflows/${workflow.id}/run`;
			return (await rest.send<{ executionId: string }>('POST', route, start)).executionId;
		};
		const triggerToStartFrom = { name: manualName };
		const created = await succeeded(await run('Create', { triggerToStartFrom }));
		const [{ requestId } = {}] = outputOf(created, 'Create');
		const { runData } = created.data.resultData;
		if (pinned) {
			const pinData = { Create: runData.Create?.[0]?.data?.main?.[0] };
			await rest.updateWorkflow(workflow.id, { ...workflow, pinData } as never);
			return { requestId: String(requestId), id: await run('Wait', { triggerToStartFrom }) };
		}
		return { requestId: String(requestId), id: await run('Wait', { runData, dirtyNodeNames: [] }) };
	}

	for (const pinned of [false, true]) {
		test(`Wait looks for itself${pinned ? ', with pinned data, too' : ''}`, async () => {
			const { requestId, id } = await steps(`steps ${String(pinned)}`, 'wait', pinned);
			const reads = () => front.of('GET').filter(({ url }) => url.endsWith(requestId)).length;
			await until('it has looked', () => reads() > 0);
			expect(await statusOf(id)).toBe('running');
			await complete(requestId);
			const [item] = outputOf(await succeeded(id), 'Wait');
			expect(item?.shareStatus).toBe('completed');
		});
	}

	test('it can be cancelled', async () => {
		const { id } = await steps('cancelled', 'wait');
		await until('it runs', async () => (await statusOf(id)) === 'running');
		await rest.send('POST', `/rest/executions/${id}/stop`);
		expect((await finished(id)).status).toBe('canceled');
	});

	test('a Create that reports to nobody is refused at once', async () => {
		const { id } = await steps('nobody', 'none');
		const execution = await finished(id);
		expect(String(failureOf(execution))).toMatch(/no status changes are reported/);
	});
});
