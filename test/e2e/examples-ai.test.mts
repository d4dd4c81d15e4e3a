import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { failureOf, outputOf, type Json, type Workflow } from '../../sandbox/n8n/types.mts';
import type { WorkflowFile } from '../../sandbox/n8n/types.mts';
import { n8nUrl } from './support/environment.mts';
import { countExecutions, newestExecutions } from './support/executions.mts';
import { openBench, type ExampleBench } from './support/examples.mts';
import { openFront, type Front } from './support/front.mts';
import { openModel, say, toolResult, type Model, type ModelCall } from './support/model.mts';
import { fillInForm } from './support/sandboxService.mts';
import { until } from './support/until.mts';

const people = [
	{ name: 'Ada Example', email: 'ada@example.com' },
	{ name: 'Ben Example', email: 'ben@example.com' },
];
const chatName = 'When a chat message arrives';
const agentName = 'Decide what to do';
const webhookUrl = `${n8nUrl}/webhook/${randomUUID()}/webhook`;

void describe('the example ai-agent, with a scripted model', () => {
	let bench: ExampleBench;
	let front: Front;
	let model: Model;
	let workflow: Workflow;
	let created: Json = {};
	const results: Json[] = [];
	const sessionId = randomUUID();

	/** What the tool has just told the model is noted, then the model says its text. */
	const noteAndSay = (text: string) => async (call: ModelCall) => {
		results.push(toolResult(call));
		return await Promise.resolve(text);
	};
	before(async () => {
		front = await openFront();
		bench = await openBench('agent', { productionBaseUrl: front.url });
		model = await openModel([
			() => {
				const given = { minimumParticipants: 2, maximumParticipants: 2, topic: 'Addresses' };
				return say('Create_collection_request', { ...given, participants: people });
			},
			async (call) => {
				created = toolResult(call);
				return await Promise.resolve(`Everybody opens ${String(created.guestLink)}`);
			},
			() => say('Read_state', { requestId: created.requestId }),
			noteAndSay('Nobody has answered yet.'),
			() => say('Read_answers', { requestId: created.requestId }),
			noteAndSay('Both have answered.'),
		]);
		const fields = { apiKey: 'a-key-of-the-stand-in', url: model.url };
		const { id, name } = await bench.rest.createCredential(
			'E2E example agent',
			'openAiApi',
			fields,
		);
		const withModel = (file: WorkflowFile) => ({
			...file,
			nodes: file.nodes.map((node) =>
				node.type.endsWith('.lmChatOpenAi')
					? { ...node, credentials: { openAiApi: { id, name } } }
					: node,
			),
		});
		workflow = await bench.load('ai-agent', { change: withModel, webhookUrl });
	});
	after(async () => {
		await model.close();
		await front.close();
		await bench.close();
	});

	/** Says something in the editor's chat; answers what the agent says. */
	const chat = async (chatInput: string, count: number): Promise<unknown> => {
		const start = { triggerToStartFrom: { name: chatName }, chatSessionId: sessionId };
		const route = `/rest/workflows/${workflow.id}/run`;
		const run = await bench.rest.send<Json>('POST', route, start);
		assert.equal(run.waitingForWebhook, true);
		const response = await fetch(`${n8nUrl}/webhook-test/${workflow.id}/${sessionId}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ action: 'sendMessage', sessionId, chatInput }),
		});
		assert.equal(response.status, 200, await response.text());
		await until(`${count} executions`, async () =>
			(await countExecutions(bench.rest, workflow.id)) === count ? true : undefined,
		);
		const [execution] = await newestExecutions(bench.rest, workflow.id, 1);
		assert.ok(execution);
		assert.equal(execution.status, 'success', failureOf(execution));
		return outputOf(execution, agentName)[0]?.output;
	};
	const textOf = (call: ModelCall | undefined) => JSON.stringify(call?.messages);

	test('one message creates one request, and the agent gives the guest link', async () => {
		const said = await chat('Please ask Ada and Ben for their address.', 1);
		assert.equal(said, `Everybody opens ${String(created.guestLink)}`);
		const [made, ...more] = front.of('POST');
		assert.equal(more.length, 0);
		assert.ok(made);
		const { webhookSecret, ...body } = made.body;
		assert.equal(typeof webhookSecret, 'string');
		assert.deepEqual(body, {
			templateId: 'e2e-template',
			minimumParticipants: 2,
			maximumParticipants: 2,
			participantList: people,
			webhookIdentifier: 'Addresses',
			webhookUrl,
		});
	});

	test('the model is told how to behave and what the tools do', () => {
		const [call] = model.calls;
		assert.match(textOf(call), /never make up a name or an address/);
		assert.match(textOf(call), /Please ask Ada and Ben/);
		const told = (call?.tools ?? []).map(({ function: { name, description, parameters } }) => ({
			...{ name, description },
			asks: Object.keys(parameters.properties as Json).sort(),
		}));
		assert.deepEqual(
			told.sort((one, other) => (one.name < other.name ? -1 : 1)),
			[
				{
					name: 'Create_collection_request',
					description:
						'Creates one collection request for several people. Returns its requestId and the guestLink that all participants open.',
					asks: ['maximumParticipants', 'minimumParticipants', 'participants', 'topic'],
				},
				{
					name: 'Read_answers',
					description:
						'Reads who takes part in a collection request and what they have answered so far.',
					asks: ['requestId'],
				},
				{
					name: 'Read_state',
					description:
						'Tells how far a collection request is: shareStatus is open or completed, shareId is missing while nobody has opened the guest link.',
					asks: ['requestId'],
				},
			],
		);
	});

	test('a later message reads the state, and the agent remembers the conversation', async () => {
		assert.equal(await chat('Have they answered?', 2), 'Nobody has answered yet.');
		assert.match(textOf(model.calls[2]), /Please ask Ada and Ben.*Everybody opens.*Have they/s);
		assert.equal(results[0]?.requestId, created.requestId);
		assert.equal(results[0]?.shareStatus, 'open');
	});

	test('the answers of both reach the model', async () => {
		for (const person of people) {
			await fillInForm(String(created.guestLink), person, `Address of ${person.name}`);
		}
		assert.equal(await chat('And now?', 3), 'Both have answered.');
		assert.equal(results[1]?.status, 'completed');
		const answers = Object.values(results[1].answers as Json);
		for (const { name } of people) assert.ok(answers.includes(`Address of ${name}`));
		assert.equal(front.of('POST').length, 1);
		assert.equal(model.calls.length, 6);
	});
});
