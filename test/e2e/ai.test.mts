import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { failureOf, outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { agentName, runAgent, startAgent, toolNode } from '../support/agent.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { succeeded } from '../support/executions.mts';
import { openFront } from '../support/front.mts';
import { openModel, say, toolResult, type ModelCall } from '../support/model.mts';
import { fillInForm, requestOf, stateOf } from '../support/sandboxService.mts';
import { twoPeople, waits } from '../support/waiting.mts';

const rest = openRest();
const front = await openFront();
const fields = { productionBaseUrl: front.url, webhookSecret: newSecret() };
const credential = await createCredential(rest, 'E2E agent', fields);
beforeEach(() => void (front.seen.length = 0));

const listOfPeople = 'List of objects with name and email, one for each person to invite';
const requestId = "={{ $fromAI('requestId', 'ID of the collection request', 'string') }}";
const createTool = (participantsJson: string, parameters: Json = {}) =>
	toolNode('Create request', credential, {
		...{ resource: 'collectionRequest', operation: 'create', participantsMode: 'json' },
		...{ minimumParticipants: 2, maximumParticipants: 2, participantsJson },
		templateId: "={{ $fromAI('templateId', 'ID of the form template', 'string') }}",
		...parameters,
	});
const readTool = toolNode('Read answers', credential, {
	...{ resource: 'share', operation: 'get', shareBy: 'requestId', requestId },
});
const waitTool = toolNode('Wait', credential, {
	...{ resource: 'collectionRequest', operation: 'wait', requestId },
	// A list, which the model fills in as text.
	waitForStatuses: "={{ $fromAI('statuses', 'The share status that ends it', 'string') }}",
});

const parametersOf = (properties: Json) => ({
	type: 'object',
	properties,
	required: Object.keys(properties),
	additionalProperties: false,
	$schema: 'http://json-schema.org/draft-07/schema#',
});

/** All that the model gets to know of the two tools. */
const describedToTheModel = [
	{
		name: 'Create_request',
		description: 'Create a collection request in Data Collection',
		parameters: parametersOf({
			templateId: { type: 'string', description: 'ID of the form template' },
			// n8n gives "json" no type: only the description tells the model what to fill in.
			participants: { description: listOfPeople },
		}),
		strict: false,
	},
	{
		name: 'Read_answers',
		description: 'Get a share with its answers in Data Collection',
		parameters: parametersOf({
			requestId: { type: 'string', description: 'ID of the collection request' },
		}),
		strict: false,
	},
];

test('an agent creates a request for two people and reads their answers', async () => {
	let share: Json = {};
	const model = await openModel([
		() => say('Create_request', { templateId: 'e2e-template', participants: twoPeople }),
		async (call) => {
			const { requestId: id, guestLink } = toolResult(call);
			for (const person of twoPeople) await fillInForm(String(guestLink), person, person.name);
			return say('Read_answers', { requestId: id });
		},
		(call) => {
			share = toolResult(call);
			return 'Both have answered.';
		},
	]);
	const tools = [createTool(`={{ $fromAI('participants', '${listOfPeople}', 'json') }}`), readTool];
	const prompt = 'Ask Ada and Ben for their address.';
	const execution = await runAgent({ rest, name: 'E2E agent', model, tools, prompt });
	assert.equal(execution.status, 'success', failureOf(execution));
	assert.equal(outputOf(execution, agentName)[0]?.output, 'Both have answered.');

	const created = { templateId: 'e2e-template', minimumParticipants: 2, maximumParticipants: 2 };
	assert.deepEqual(
		front.of('POST').map(({ body }) => body),
		[{ ...created, participantList: twoPeople }],
	);
	assert.equal(share.status, 'completed');
	const emails = (share.participants as Json[]).map(({ email }) => email);
	for (const { name, email } of twoPeople) {
		assert.ok(JSON.stringify(share.answers).includes(name));
		assert.ok(emails.includes(email));
	}
	const told = (model.calls[0]?.tools ?? []).map((tool) => tool.function);
	const byName = told.sort((one, other) => (one.name < other.name ? -1 : 1));
	assert.deepEqual(byName, describedToTheModel);
});

test('a model that gives the list as text is understood as well', async () => {
	// What the editor's button "Let the model define this parameter" writes.
	const tools = [createTool("={{ $fromAI('Participants__JSON_', ``, 'json') }}")];
	const participants = JSON.stringify(twoPeople);
	const model = await openModel([
		() => say('Create_request', { templateId: 'any', Participants__JSON_: participants }),
		() => 'Done.',
	]);
	const run = { rest, name: 'E2E agent text', model, tools, prompt: 'Ask them.' };
	const execution = await runAgent(run);
	assert.equal(execution.status, 'success', failureOf(execution));
	assert.deepEqual(front.of('POST')[0]?.body.participantList, twoPeople);
});

test('an error of the tool reaches the agent as text, which can go on', async () => {
	let said = '';
	const model = await openModel([
		() => say('Read_answers', { requestId: 'no-such-request' }),
		({ messages }) => {
			said = String(messages.at(-1)?.content);
			return 'There is no such request.';
		},
	]);
	const run = { rest, name: 'E2E agent error', model, tools: [readTool], prompt: 'Read it.' };
	const execution = await runAgent(run);
	assert.match(said, /does not know the collection request/);
	assert.equal(execution.status, 'success', failureOf(execution));
});

test('an agent creates, waits as a whole, and reads the answers', async () => {
	const identifier = randomUUID();
	const additionalFields = { webhookIdentifier: identifier };
	const create = createTool(JSON.stringify(twoPeople), { notify: 'wait', additionalFields });
	const results: Json[] = [];
	const noted = (call: ModelCall) => results[results.push(toolResult(call)) - 1] as Json;
	const model = await openModel([
		() => say('Create_request', { templateId: 'e2e-template' }),
		(call) => say('Wait', { requestId: noted(call).requestId, statuses: 'completed' }),
		(call) => say('Read_answers', { requestId: noted(call).requestId }),
		(call) => `Done: ${String(noted(call).status)}`,
	]);
	const tools = [create, waitTool, readTool];
	const id = await startAgent({ rest, name: 'E2E agent waits', model, tools, prompt: 'Ask them.' });
	await waits(rest, id);
	assert.equal(model.calls.length, 2, 'while it waits');
	const { request, guestLink } = await requestOf(identifier);
	for (const person of twoPeople) await fillInForm(guestLink, person, person.name);
	const execution = await succeeded(rest, id);
	assert.equal(outputOf(execution, agentName)[0]?.output, 'Done: completed');
	assert.equal(model.calls.length, 4);

	const [created = {}, waited = {}, share = {}] = results;
	assert.equal(created.requestId, request._id);
	const { requestId: waitedFor, shareStatus, timedOut, notification } = waited;
	assert.deepEqual([waitedFor, shareStatus, timedOut], [request._id, 'completed', false]);
	assert.equal((notification as Json).requestId, request._id);
	for (const { name } of twoPeople) assert.ok(JSON.stringify(share.answers).includes(name));
	const { deliveries } = await stateOf(request._id);
	assert.deepEqual(
		deliveries.map(({ answer }) => answer),
		['{"status":"accepted"}', '{"status":"waiting"}'],
		'newest first',
	);
});

test('in an older agent Wait fails and says why, and the agent goes on', async () => {
	const model = await openModel([
		() => say('Wait', { requestId: 'any', statuses: 'completed' }),
		() => 'I cannot wait.',
	]);
	const run = { rest, name: 'E2E older agent', model, tools: [waitTool], prompt: 'Wait.' };
	const execution = await runAgent({ ...run, agentVersion: 2.2 });
	// n8n gives an older agent no word about a tool that fails; people see it at the tool.
	const runs = execution.data.resultData.runData.Wait ?? [];
	assert.equal(runs.length, 1);
	const message = String(runs[0]?.error?.message);
	assert.match(message, /^Inside the process of an AI Agent a tool cannot wait/);
	assert.equal(execution.status, 'success', failureOf(execution));
	assert.equal(outputOf(execution, agentName)[0]?.output, 'I cannot wait.');
});
