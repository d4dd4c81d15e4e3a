import assert from 'node:assert/strict';
import { publish } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { runAgent, toolNode } from '../support/agent.mts';
import { createCredential } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { openFront } from '../support/front.mts';
import { openModel, say } from '../support/model.mts';
import { createEach, indexes, nodeName, runNode, runWorkflow } from '../support/runNode.mts';
import { until } from '../support/until.mts';
import { actionNode, chain, manualName, manualNode, node } from '../support/workflows.mts';

const rest = openRest();
const front = await openFront();
const credential = await createCredential(rest, 'E2E retries', { productionBaseUrl: front.url });
beforeEach(() => {
	front.seen.length = 0;
	front.decide = undefined;
	front.before = undefined;
});

const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const serial = { ...createEach, options: { concurrency: 1 } };
const create = { ...actionNode(nodeName, credential, serial), ...retries };

/** What certainly created nothing, and what may have. */
const refused = { status: 400, body: { message: 'Not now' } };
const unclear = { status: 500, body: { message: 'Half done' } };

/** Lets the calls for one template fail as often as replies are given. */
const fail = (template: number, ...replies: Array<typeof refused>) => {
	front.decide = ({ body }) =>
		body.templateId === `template-${template}` ? replies.shift() : undefined;
};
/** The digits of the templates for which requests were created, in order. */
const asked = () =>
	front
		.of('POST')
		.map(({ body }) => String(body.templateId).slice(-1))
		.join('');
const run = async (settings: Json = {}, parameters: Json = serial) =>
	await runNode({
		...{ rest, name: 'E2E retries', credential, parameters },
		...{ items: indexes(5), settings: { ...retries, ...settings } },
	});

/** What fails as often as replies are given, and what is then sent for the items that come out. */
const tries: Array<[title: string, settings: Json, template: number, sent: string, out: number]> = [
	['five items, the third fails twice: each exists once, the output is whole', {}, 2, '0122234', 5],
	['Continue On Fail', { onError: 'continueRegularOutput' }, 0, '0123400', 5],
	['Execute Once', { executeOnce: true }, 0, '000', 1],
];
test.each(tries)('%s', async (_title, settings, template, sent, out) => {
	fail(template, refused, refused);
	const execution = await run(settings);
	assert.equal(execution.status, 'success', failureOf(execution));
	const items = outputOf(execution, nodeName);
	assert.deepEqual(
		items.map((item) => (item.template as Json)._id),
		indexes(out).map(({ index }) => `template-${String(index)}`),
	);
	assert.equal(new Set(items.map(({ requestId }) => requestId)).size, out);
	assert.equal(asked(), sent);
});

/** What is sent with one item at a time, and with all five under way at once. */
for (const [concurrency, templates, created] of [
	[1, '012', 2],
	[5, '01234', 4],
] as const) {
	test(`S31 Retry On Fail, ${concurrency} at once: nothing is created again, nor what may exist`, async () => {
		fail(2, unclear);
		// What is refused before the others have started keeps them from starting.
		front.before = async (_call, { status }) =>
			status !== 500 ||
			(await until('all are under way', () => front.seen.length % concurrency === 0));
		const execution = await run({}, { ...createEach, options: { concurrency } });
		assert.equal(execution.status, 'error');
		assert.equal([...asked()].sort().join(''), templates);
		const error = execution.data.resultData.runData[nodeName]?.at(-1)?.error;
		assert.match(String(error?.message), /The collection request may exist all the same/);
		const list = `Before this, ${created} collection requests were created`;
		assert.equal(String(error?.description).split(list).length, 2, failureOf(execution));
	});
}

test('a loop: each round creates its own', async () => {
	fail(2, refused);
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 2, options: {} });
	const workflow = chain('E2E retries: loop', [manualNode(), loop]);
	const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
	const execution = await runWorkflow(rest, {
		...workflow,
		nodes: [...workflow.nodes, create],
		connections: {
			...workflow.connections,
			Loop: { main: [[], to(nodeName)] },
			[nodeName]: { main: [to('Loop')] },
		},
		pinData: { [manualName]: indexes(6).map((json) => ({ json })) },
	});
	assert.equal(execution.status, 'success', failureOf(execution));
	assert.equal(asked(), '0122345');
	assert.equal(execution.data.resultData.runData[nodeName]?.length, 3);
});

test('a sub-workflow that is called twice: each call creates its own', async () => {
	fail(0, refused, refused);
	const called = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
		inputSource: 'passthrough',
	});
	const made = await rest.createWorkflow(chain('E2E retries: called', [called, create]));
	const inner = await publish(rest, made);
	const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: inner.id },
		...{ mode: 'each', options: {} },
	});
	const execution = await runWorkflow(rest, {
		...chain('E2E retries: call', [manualNode(), call]),
		pinData: { [manualName]: [{ json: { index: 0 } }, { json: { index: 0 } }] },
	});
	assert.equal(execution.status, 'success', failureOf(execution));
	assert.equal(asked(), '0000');
	const ids = outputOf(execution, 'Call').map(({ requestId }) => requestId);
	assert.equal(new Set(ids).size, 2);
});

for (const [agentVersion, sent] of [
	[3.1, '000'],
	[2.2, '00'],
] as const) {
	test(`a tool of AI Agent ${agentVersion}: each call creates its own`, async () => {
		if (agentVersion > 3) fail(0, refused);
		const parameters = { ...serial, templateId: "={{ $fromAI('template', 'The template') }}" };
		const again = () => say('Create', { template: 'template-0' });
		const model = await openModel([again, again, () => 'Done.']);
		const execution = await runAgent({
			...{ rest, name: `E2E retries: agent ${agentVersion}`, model, agentVersion },
			...{ prompt: 'Create two.' },
			tools: [{ ...toolNode('Create', credential, parameters), ...retries }],
		});
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(asked(), sent);
		assert.equal(execution.data.resultData.runData.Create?.length, 2);
	});
}
