import assert from 'node:assert/strict';
import { publish } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf, type Credential, type Json } from '../../sandbox/n8n/types.mts';
import { runAgent, toolNode } from '../support/agent.mts';
import { createCredential } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { finished } from '../support/executions.mts';
import { openFront, type Front } from '../support/front.mts';
import { openModel, say } from '../support/model.mts';
import { createEach, indexes, nodeName, runNode } from '../support/runNode.mts';
import { actionNode, chain, manualName, manualNode, node } from '../support/workflows.mts';

const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const serial = { ...createEach, options: { concurrency: 1 } };

/** What certainly created nothing, and what may have. */
const refused = { status: 400, body: { message: 'Not now' } };
const unclear = { status: 500, body: { message: 'Half done' } };

describe('Retry On Fail of n8n creates nothing twice', () => {
	const rest = openRest();
	let front: Front;
	let credential: Credential;
	beforeAll(async () => {
		front = await openFront();
		credential = await createCredential(rest, 'E2E retries', { productionBaseUrl: front.url });
	});
	afterAll(() => front.close());
	beforeEach(() => {
		front.seen.length = 0;
		front.decide = undefined;
	});

	/** Lets the calls for one template fail as often as replies are given. */
	const fail = (template: string, ...replies: Array<typeof refused>) => {
		front.decide = ({ body }) => (body.templateId === template ? replies.shift() : undefined);
	};
	const asked = () => front.of('POST').map(({ body }) => String(body.templateId));
	const templates = (...numbers: number[]) => numbers.map((number) => `template-${number}`);
	const run = async (name: string, settings: Json = {}, count = 5) =>
		await runNode({
			...{ rest, name: `E2E retries: ${name}`, credential, parameters: serial },
			...{ items: indexes(count), settings: { ...retries, ...settings } },
		});
	const assertWhole = (items: Json[], count: number) => {
		assert.equal(items.length, count);
		assert.deepEqual(
			items.map(({ template }) => (template as Json)._id),
			templates(...indexes(count).map(({ index }) => Number(index))),
		);
		assert.equal(new Set(items.map(({ requestId }) => requestId)).size, count);
	};

	test('five items, the third fails twice: each exists once, the output is whole', async () => {
		fail('template-2', refused, refused);
		const execution = await run('third');
		assert.equal(execution.status, 'success', failureOf(execution));
		assertWhole(outputOf(execution, nodeName), 5);
		assert.deepEqual(asked(), templates(0, 1, 2, 2, 2, 3, 4));
	});

	test('an unknown outcome is not tried again, and the message lists what exists', async () => {
		fail('template-2', unclear);
		const execution = await run('unknown');
		assert.equal(execution.status, 'error');
		assert.deepEqual(asked(), templates(0, 1, 2));
		const error = execution.data.resultData.runData[nodeName]?.at(-1)?.error;
		assert.match(String(error?.message), /may exist all the same/);
		assert.equal(String(error?.description).split('Before this, 2 collection requests').length, 2);
	});

	test('Continue On Fail', async () => {
		fail('template-0', refused, refused);
		const execution = await run('continue', { onError: 'continueRegularOutput' });
		assertWhole(outputOf(execution, nodeName), 5);
		assert.deepEqual(asked(), templates(0, 1, 2, 3, 4, 0, 0));
	});

	test('Execute Once', async () => {
		fail('template-0', refused);
		const execution = await run('once', { executeOnce: true });
		assertWhole(outputOf(execution, nodeName), 1);
		assert.deepEqual(asked(), templates(0, 0));
	});

	test('a loop: each round creates its own', async () => {
		fail('template-2', refused);
		const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 2, options: {} });
		const create = { ...actionNode(nodeName, credential, serial), ...retries };
		const workflow = chain('E2E retries: loop', [manualNode(), loop]);
		const to = (name: string) => ({ node: name, type: 'main', index: 0 });
		const { id } = await rest.createWorkflow({
			...workflow,
			nodes: [...workflow.nodes, create],
			connections: {
				...workflow.connections,
				Loop: { main: [[], [to(nodeName)]] },
				[nodeName]: { main: [[to('Loop')]] },
			},
			pinData: { [manualName]: indexes(6).map((json) => ({ json })) },
		});
		const execution = await finished(rest, await rest.runManually(id, manualName));
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.deepEqual(asked(), templates(0, 1, 2, 2, 3, 4, 5));
		assert.equal(execution.data.resultData.runData[nodeName]?.length, 3);
	});

	test('a sub-workflow that is called twice: each call creates its own', async () => {
		fail('template-0', refused, refused);
		const called = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
			inputSource: 'passthrough',
		});
		const create = { ...actionNode(nodeName, credential, serial), ...retries };
		const made = await rest.createWorkflow(chain('E2E retries: called', [called, create]));
		const inner = await publish(rest, made);
		const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
			workflowId: { __rl: true, mode: 'id', value: inner.id },
			mode: 'each',
			options: {},
		});
		const { id } = await rest.createWorkflow({
			...chain('E2E retries: call', [manualNode(), call]),
			pinData: { [manualName]: [{ json: { index: 0 } }, { json: { index: 0 } }] },
		});
		const execution = await finished(rest, await rest.runManually(id, manualName));
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.deepEqual(asked(), templates(0, 0, 0, 0));
		const ids = outputOf(execution, 'Call').map(({ requestId }) => requestId);
		assert.equal(new Set(ids).size, 2);
	});

	for (const [agentVersion, times] of [
		[3.1, 3],
		[2.2, 2],
	] as const) {
		test(`a tool of AI Agent ${agentVersion}: each call creates its own`, async () => {
			if (agentVersion > 3) fail('template-0', refused);
			const parameters = { ...serial, templateId: "={{ $fromAI('template', 'The template') }}" };
			const tool = { ...toolNode('Create', credential, parameters), ...retries };
			await using model = await openModel([
				() => say('Create', { template: 'template-0' }),
				() => say('Create', { template: 'template-0' }),
				async () => await Promise.resolve('Done.'),
			]);
			const execution = await runAgent({
				...{ rest, name: `E2E retries: agent ${agentVersion}`, model, tools: [tool] },
				...{ prompt: 'Create two.', agentVersion },
			});
			assert.equal(execution.status, 'success', failureOf(execution));
			assert.equal(asked().length, times);
			assert.equal(execution.data.resultData.runData.Create?.length, 2);
		});
	}
});
