import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { actionType } from '../../sandbox/n8n/examples.mts';
import { failureOf, outputOf, type Credential, type Json } from '../../sandbox/n8n/types.mts';
import { agentName, runAgent, startAgent, toolNode } from '../support/agent.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { finished } from '../support/executions.mts';
import { openModel, say, toolResult, type ModelCall } from '../support/model.mts';
import { fillInForm, requestOf, stateOf } from '../support/sandboxService.mts';
import { twoPeople, waits } from '../support/waiting.mts';

interface NodeType extends Json {
	name: string;
	properties: Array<{ name: string; options?: Array<Json & { value?: unknown }> }>;
}

const requestId = "={{ $fromAI('requestId', 'ID of the collection request', 'string') }}";

describe('Wait as a tool of an AI agent', () => {
	const rest = openRest();
	let credential: Credential;
	beforeAll(async () => {
		credential = await createCredential(rest, 'E2E agent waits', { webhookSecret: newSecret() });
	});
	const waitTool = () =>
		toolNode('Wait', credential, {
			...{ resource: 'collectionRequest', operation: 'wait', requestId },
			// A list, which the model fills in as text.
			waitForStatuses: "={{ $fromAI('statuses', 'The share status that ends it', 'string') }}",
		});

	test('is offered, as every operation is', async () => {
		const types = (await rest.nodeTypes()) as NodeType[];
		const tool = types.find(({ name }) => name === `${actionType}Tool`);
		const offered = (tool?.properties ?? [])
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options }) => options ?? []);
		assert.ok(offered.some(({ value }) => value === 'wait'));
		for (const { displayOptions } of offered) assert.equal(displayOptions, undefined);
	});

	test('an agent creates, waits as a whole, and reads the answers', async () => {
		const identifier = randomUUID();
		const create = toolNode('Create', credential, {
			...{ resource: 'collectionRequest', operation: 'create', participantsMode: 'json' },
			...{ minimumParticipants: 2, maximumParticipants: 2, notify: 'wait' },
			participantsJson: JSON.stringify(twoPeople),
			additionalFields: { webhookIdentifier: identifier },
			templateId: "={{ $fromAI('templateId', 'ID of the form template', 'string') }}",
		});
		const read = toolNode('Read', credential, {
			...{ resource: 'share', operation: 'get', shareBy: 'requestId', requestId },
		});
		const results: Json[] = [];
		const noted = (call: ModelCall) => results[results.push(toolResult(call)) - 1] as Json;
		await using model = await openModel([
			() => say('Create', { templateId: 'e2e-template' }),
			async (call) =>
				await say('Wait', { requestId: noted(call).requestId, statuses: 'completed' }),
			async (call) => await say('Read', { requestId: noted(call).requestId }),
			async (call) => await Promise.resolve(`Done: ${String(noted(call).status)}`),
		]);
		const tools = [create, waitTool(), read];
		const run = { rest, name: 'E2E agent waits', model, tools, prompt: 'Ask them.' };
		const id = await startAgent(run);
		await waits(rest, id);
		assert.equal(model.calls.length, 2, 'while it waits');
		const { request, guestLink } = await requestOf(identifier);
		for (const person of twoPeople) await fillInForm(guestLink, person, person.name);
		const execution = await finished(rest, id);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(outputOf(execution, agentName)[0]?.output, 'Done: completed');
		assert.equal(model.calls.length, 4);

		const [created = {}, waited = {}, share = {}] = results;
		assert.equal(created.requestId, request._id);
		assert.equal(waited.requestId, request._id);
		assert.equal(waited.shareStatus, 'completed');
		assert.equal(waited.timedOut, false);
		assert.equal((waited.notification as Json).requestId, request._id);
		for (const { name } of twoPeople) assert.ok(JSON.stringify(share.answers).includes(name));
		const { deliveries } = await stateOf(request._id);
		assert.deepEqual(
			deliveries.map(({ answer }) => answer),
			['{"status":"accepted"}', '{"status":"waiting"}'],
			'newest first',
		);
	});

	test('in an older agent the tool fails and says why, and the agent goes on', async () => {
		await using model = await openModel([
			() => say('Wait', { requestId: 'any', statuses: 'completed' }),
			() => Promise.resolve('I cannot wait.'),
		]);
		const run = { rest, name: 'E2E older agent', model, tools: [waitTool()], prompt: 'Wait.' };
		const execution = await runAgent({ ...run, agentVersion: 2.2 });
		// n8n gives an older agent no word about a tool that fails; people see it at the tool.
		const runs = execution.data.resultData.runData.Wait ?? [];
		assert.equal(runs.length, 1);
		assert.match(
			String(runs[0]?.error?.message),
			/^Inside the process of an AI Agent a tool cannot wait/,
		);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(outputOf(execution, agentName)[0]?.output, 'I cannot wait.');
	});
});
