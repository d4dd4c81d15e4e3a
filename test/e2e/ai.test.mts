import assert from 'node:assert/strict';
import { failureOf, outputOf, type Credential, type Json } from '../../sandbox/n8n/types.mts';
import { agentName, runAgent, toolNode } from '../support/agent.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { openFront, type Front } from '../support/front.mts';
import { openModel, say, toolResult } from '../support/model.mts';
import { fillInForm } from '../support/sandboxService.mts';

const people = [
	{ name: 'Ada Example', email: 'ada@example.com' },
	{ name: 'Ben Example', email: 'ben@example.com' },
];

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
		description: 'Get a share with its answers in Data Collection',
		parameters: parametersOf({
			requestId: { type: 'string', description: 'ID of the collection request' },
		}),
		strict: false,
	},
};

describe('as a tool of an AI agent', () => {
	const rest = openRest();
	let front: Front;
	let credential: Credential;
	beforeAll(async () => {
		front = await openFront();
		const fields = { productionBaseUrl: front.url, webhookSecret: newSecret() };
		credential = await createCredential(rest, 'E2E agent', fields);
	});
	afterAll(() => front.close());

	test('an agent creates a request for two people and reads their answers', async () => {
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
		await using model = await openModel([
			() => say('Create_request', { templateId: 'e2e-template', participants: people }),
			async (call) => {
				const { requestId, guestLink } = toolResult(call);
				for (const person of people) await fillInForm(String(guestLink), person, person.name);
				return await say('Read_answers', { requestId });
			},
			async (call) => {
				share = toolResult(call);
				return await Promise.resolve('Both have answered.');
			},
		]);
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

	test('a model that gives the list as text is understood as well', async () => {
		front.seen.length = 0;
		const create = toolNode('Create request', credential, {
			...{ resource: 'collectionRequest', operation: 'create', participantsMode: 'json' },
			// What the editor's button "Let the model define this parameter" writes.
			participantsJson: "={{ $fromAI('Participants__JSON_', ``, 'json') }}",
		});
		await using model = await openModel([
			() => say('Create_request', { Participants__JSON_: JSON.stringify(people) }),
			() => Promise.resolve('Done.'),
		]);
		const run = { rest, name: 'E2E agent text', model, tools: [create], prompt: 'Ask them.' };
		const execution = await runAgent(run);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.deepEqual(front.of('POST')[0]?.body.participantList, people);
	});

	test('an error of the tool reaches the agent as text, which can go on', async () => {
		const read = toolNode('Read answers', credential, {
			...{ resource: 'share', operation: 'get', shareBy: 'requestId' },
			requestId: "={{ $fromAI('requestId', 'ID of the collection request', 'string') }}",
		});
		let said = '';
		await using model = await openModel([
			() => say('Read_answers', { requestId: 'no-such-request' }),
			async ({ messages }) => {
				said = String(messages.at(-1)?.content);
				return await Promise.resolve('There is no such request.');
			},
		]);
		const run = { rest, name: 'E2E agent error', model, tools: [read], prompt: 'Read it.' };
		const execution = await runAgent(run);
		assert.match(said, /does not know the collection request/);
		assert.equal(execution.status, 'success', failureOf(execution));
	});
});
