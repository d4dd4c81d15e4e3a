import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf, type Json, type WorkflowNode } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import { finished, startByWebhook, statusOf, succeeded } from '../support/executions.mts';
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
	productionBaseUrl: front.url,
	webhookSecret: newSecret(),
});

const ours = (name: string, parameters: Json) => ({
	...actionNode(name, credential, { resource: 'collectionRequest', ...parameters }),
	webhookId: randomUUID(),
});
const create = () => ours('Create', { operation: 'create', templateId: 't1' });
const look = () => ours('Look', { operation: 'get', requestId: '={{ $json.requestId }}' });
const wait = (parameters: Json = {}) => ours('Wait', { operation: 'wait', ...parameters });
const byId = { which: 'requestId' };
const limit = { limitWaitTime: true, resumeAmount: 5, resumeUnit: 'hours' };

/** Runs a workflow whose second node fails, and retries it; resolves to the ID of the retry. */
async function retried(name: string, ...then: WorkflowNode[]) {
	const begin = webhookNode();
	const file = chain(`E2E waits elsewhere: ${name}`, [begin, create(), look(), ...then]);
	const workflow = await publish(rest, await rest.createWorkflow(file));
	front.decide = ({ method }) => (method === 'GET' ? { status: 400, body: {} } : undefined);
	await startByWebhook(workflow.id, begin);
	const first = await until('the first execution has failed', async () =>
		(await rest.listExecutions(workflow.id)).find(({ status }) => status === 'error'),
	);
	front.decide = undefined;
	await rest.send('POST', `/rest/executions/${first.id}/retry`, { loadWorkflow: false });
	const second = await until('the retry is stored', async () =>
		(await rest.listExecutions(workflow.id)).find(({ id }) => id !== first.id),
	);
	return second.id;
}

test('a retry is refused, because the first execution is notified', async () => {
	const execution = await finished(await retried('original', wait()));
	expect(execution.status).toBe('error');
	expect(String(failureOf(execution))).toMatch(
		/status changes are reported to the execution before this retry/,
	);
});

test('a retry waits if it has a time limit', async () => {
	const id = await retried('limit', wait(limit));
	await until('it waits', async () => (await statusOf(id)) === 'waiting');
});

test('a wait for a collection request of the workflow that called it is refused', async () => {
	const child = chain('E2E waits elsewhere: called', [calledNode(), wait(byId)]);
	const { id } = await publish(rest, await rest.createWorkflow(child));
	const begin = webhookNode();
	const call = callNode(id, { workflowInputs: { mappingMode: 'defineBelow', value: {} } });
	const file = chain('E2E waits elsewhere: caller', [begin, create(), call]);
	const workflow = await publish(rest, await rest.createWorkflow(file));
	const ended = await finished(await startByWebhook(workflow.id, begin));
	expect(String(failureOf(ended))).toMatch(/no status changes are reported to this execution/);
});

test.each([false, true])(
	'step by step in the editor, pinned: %s, Wait looks for itself',
	async (pinned) => {
		const nodes = [manualNode(), create(), wait()];
		// The editor saves it with every workflow.
		const file = { ...chain('E2E waits elsewhere: steps', nodes), pinData: {} };
		const workflow = await rest.createWorkflow(file);
		/** Executes a step as the editor's button does. */
		const run = async (nodeName: string, more: Json) => {
			const start = { destinationNode: { nodeName, mode: 'inclusive' }, ...more };
			const route = `/rest/workflows/${workflow.id}/run`;
			return (await rest.send<{ executionId: string }>('POST', route, start)).executionId;
		};
		const triggerToStartFrom = { name: manualName };
		const created = await succeeded(await run('Create', { triggerToStartFrom }));
		const [{ requestId } = {}] = outputOf(created, 'Create');
		const { runData } = created.data.resultData;
		const pinData = { Create: runData.Create?.[0]?.data?.main?.[0] };
		if (pinned) await rest.updateWorkflow(workflow.id, { ...workflow, pinData });
		const given = pinned ? { triggerToStartFrom } : { runData, dirtyNodeNames: [] };
		const id = await run('Wait', given);
		const looks = () => front.of('GET').some(({ url }) => url.endsWith(String(requestId)));
		await until('it has looked', looks);
		expect(await statusOf(id)).toBe('running');
		await complete(String(requestId));
		expect(outputOf(await succeeded(id), 'Wait')[0]?.shareStatus).toBe('completed');
	},
);
