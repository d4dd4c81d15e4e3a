import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import { openFront } from '../support/front.mts';
import { createEach, nodeName, runWorkflow } from '../support/executions.mts';
import {
	actionNode,
	callNode,
	calledNode,
	chain,
	graph,
	loopNode,
	manualName,
	manualNode,
} from '../support/workflows.mts';

const front = await openFront();
const credential = await createCredential('E2E retries', { productionBaseUrl: front.url });
beforeEach(() => void (front.seen.length = 0));

const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const serial = { ...createEach, options: { concurrency: 1 } };
const create = { ...actionNode(nodeName, credential, serial), ...retries };

/** Makes the first calls for one template fail in a way that certainly creates nothing. */
const fail = (template: number, times: number) => {
	let left = times;
	front.decide = ({ body }) =>
		body.templateId === `template-${template}` && left-- > 0
			? { status: 400, body: { message: 'Not now' } }
			: undefined;
};
/** The digits of the templates for which collection requests were created, in order. */
const asked = () =>
	front
		.of('POST')
		.map(({ body }) => String(body.templateId).slice(-1))
		.join('');
const run = async (workflow: WorkflowFile, items: number[]) => {
	const pinData = { [manualName]: items.map((index) => ({ json: { index } })) };
	return await runWorkflow({ ...workflow, pinData });
};

test('a loop: each round creates its own, and what has failed is tried again', async () => {
	fail(2, 2);
	const nodes = [manualNode(), loopNode(2), create];
	const paths = [`${manualName} -> Loop`, `Loop/1 -> ${nodeName} -> Loop`];
	const looped = graph('E2E retries: loop', nodes, paths);
	const execution = await run(looped, [0, 1, 2, 3, 4, 5]);
	expect(asked()).toBe('01222345');
	expect(execution.data.resultData.runData[nodeName]?.length).toBe(3);
});

test('a sub-workflow that is called twice: each call creates its own', async () => {
	fail(0, 2);
	const made = await rest.createWorkflow(chain('E2E retries: called', [calledNode(), create]));
	const { id } = await publish(rest, made);
	const call = callNode(id, { mode: 'each' });
	const execution = await run(chain('E2E retries: call', [manualNode(), call]), [0, 0]);
	expect(asked()).toBe('0000');
	const ids = outputOf(execution, 'Call').map(({ requestId }) => requestId);
	expect(new Set(ids).size).toBe(2);
});
