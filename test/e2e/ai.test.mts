import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { actionType } from '../../sandbox/n8n/examples.mts';
import { failureOf, outputOf, type Credential, type Json } from '../../sandbox/n8n/types.mts';
import { agentName, runAgent, startAgent, toolNode } from './support/agent.mts';
import { createCredential, newSecret } from './support/credential.mts';
import { openRest } from './support/environment.mts';
import { finished } from './support/executions.mts';
import { openFront, type Front } from './support/front.mts';
import { openModel, type ModelCall } from './support/model.mts';
import { complete, fillInForm, requestOf } from './support/sandboxService.mts';
import { until } from './support/until.mts';

const people = [
	{ name: 'Ada Example', email: 'ada@example.com' },
	{ name: 'Ben Example', email: 'ben@example.com' },
];

interface NodeType extends Json {
	name: string;
	properties: Array<{ name: string; options?: Array<Json & { value?: unknown }> }>;
}

const listOfPeople = 'List of objects with name and email, one for each person to invite';

const parametersOf = (properties: Json) => ({
	type: 'object',
	properties,
	required: Object.keys(properties),
	additionalProperties: false,
	$schema: 'http://json-schema.org/draft-07/schema#',
});

/** All that the model gets to know of the two tools, by their names. */
const describedToTheModel = {
	Create_request: {
		description: 'Create a collection request in Data Collection',
		parameters: parametersOf({
			templateId: { type: 'string', description: 'ID of the form template' },
			// n8n gives "json" no type: only the description tells the model what to fill in.
			participants: { description: listOfPeople },
		}),
		strict: false,
	},
	Read_answers: {
		description: 'Get a share in Data Collection',
		parameters: parametersOf({
			requestId: { type: 'string', description: 'ID of the collection request' },
		}),
		strict: false,
	},
};

const say = (name: string, given: Json) => Promise.resolve({ name, arguments: given });

/** What the last tool gave the model: the JSON of the items. */
function toolResult({ messages }: ModelCall): Json {
	const last = messages.at(-1);
	assert.equal(last?.role, 'tool');
	const content: unknown = JSON.parse(String(last?.content));
	return (Array.isArray(content) ? content[0] : content) as Json;
}

void describe('as a tool of an AI agent', () => {
	const rest = openRest();
	let front: Front;
	let credential: Credential;
	before(async () => {
		front = await openFront();
		const fields = { productionBaseUrl: front.url, webhookSecret: newSecret() };
		credential = await createCredential(rest, 'E2E agent', fields);
	});
	after(() => front.close());

	test('an agent creates a request for two people and reads their answers', async (context) => {
		const create = toolNode('Create request', credential, {
			...{ resource: 'collectionRequest', operation: 'create', participantsMode: 'json' },
			...{ minimumParticipants: 2, maximumParticipants: 2 },
			templateId: "={{ $fromAI('templateId', 'ID of the form template', 'string') }}",
			participantsJson: `={{ $fromAI('participants', '${listOfPeople}', 'json') }}`,
		});
		const read = toolNode('Read answers', credential, {
			...{ resource: 'share', operation: 'get', shareBy: 'requestId' },
			requestId: "={{ $fromAI('requestId', 'ID of the collection request', 'string') }}",
		});
		let share: Json = {};
		const model = await openModel([
			() => say('Create_request', { templateId: 'e2e-template', participants: people }),
			async (call) => {
				const { _id, guestLink } = toolResult(call);
				for (const person of people) await fillInForm(String(guestLink), person, person.name);
				return await say('Read_answers', { requestId: _id });
			},
			async (call) => {
				share = toolResult(call);
				return await Promise.resolve('Both have answered.');
			},
		]);
		context.after(() => model.close());
		const prompt = 'Ask Ada and Ben for their address.';
		const run = { rest, name: 'E2E agent', model, tools: [create, read], prompt };
		const execution = await runAgent(run);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(outputOf(execution, agentName)[0]?.output, 'Both have answered.');

		const [made, ...more] = front.of('POST');
		assert.equal(more.length, 0);
		assert.deepEqual(made?.body, {
			templateId: 'e2e-template',
			minimumParticipants: 2,
			maximumParticipants: 2,
			participantList: people,
		});
		assert.equal(share.status, 'completed');
		const text = JSON.stringify(share.answers);
		for (const { name } of people) assert.ok(text.includes(name), text);
		const emails = (share.participants as Json[]).map(({ email }) => email);
		for (const { email } of people) assert.ok(emails.includes(email));

		const told = (model.calls[0]?.tools ?? []).map(({ function: { name, ...rest } }) => [
			name,
			rest,
		]);
		assert.deepEqual(Object.fromEntries(told), describedToTheModel);
	});

	test('an error of the tool reaches the agent as text, which can go on', async (context) => {
		const read = toolNode('Read answers', credential, {
			...{ resource: 'share', operation: 'get', shareBy: 'requestId' },
			requestId: "={{ $fromAI('requestId', 'ID of the collection request', 'string') }}",
		});
		let said = '';
		const model = await openModel([
			() => say('Read_answers', { requestId: 'no-such-request' }),
			async ({ messages }) => {
				said = String(messages.at(-1)?.content);
				return await Promise.resolve('There is no such request.');
			},
		]);
		context.after(() => model.close());
		const run = { rest, name: 'E2E agent error', model, tools: [read], prompt: 'Read it.' };
		const execution = await runAgent(run);
		context.diagnostic(`${execution.status}; the model got: ${said}`);
		assert.match(said, /does not know the collection request/);
		assert.equal(execution.status, 'success', failureOf(execution));
	});

	test('Create and Wait is hidden in the tool', async () => {
		const types = (await rest.nodeTypes()) as NodeType[];
		const tool = types.find(({ name }) => name === `${actionType}Tool`);
		const offered = (tool?.properties ?? [])
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options }) => options ?? [])
			.find(({ value }) => value === 'createAndWait');
		assert.deepEqual(offered?.displayOptions, { hide: { '@tool': [true] } });
	});

	test('Create and Wait forced upon the tool: the agent itself waits and gets the outcome', async (context) => {
		const identifier = randomUUID();
		const wait = toolNode('Wait', credential, {
			...{ resource: 'collectionRequest', operation: 'createAndWait', participantsMode: 'json' },
			...{ participantsJson: '[]', waitForStatuses: ['completed'] },
			additionalFields: { webhookIdentifier: identifier },
			templateId: "={{ $fromAI('templateId', 'ID of the form template', 'string') }}",
		});
		let result: Json = {};
		const model = await openModel([
			() => say('Wait', { templateId: 'e2e-template' }),
			async (call) => {
				result = toolResult(call);
				return await Promise.resolve('It is complete.');
			},
		]);
		context.after(() => model.close());
		const run = { rest, name: 'E2E agent waits', model, tools: [wait], prompt: 'Wait.' };
		const id = await startAgent(run);
		await until('the agent waits', async () => {
			const { status } = await rest.send<{ status: string }>('GET', `/rest/executions/${id}`);
			return status === 'waiting' ? true : undefined;
		});
		const { request } = await requestOf(identifier);
		await complete(request._id);
		const execution = await finished(rest, id);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(outputOf(execution, agentName)[0]?.output, 'It is complete.');
		assert.equal(result._id, request._id);
		assert.equal(result.shareStatus, 'completed');
		assert.equal(model.calls.length, 2);
	});
});
