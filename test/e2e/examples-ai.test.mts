import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { failureOf, outputOf, type Execution, type Json } from '../../sandbox/n8n/types.mts';
import type { ExecutionSummary, Workflow, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { linesOf, openBench, withNode } from '../support/examples.mts';
import { countExecutions, finished, newestExecution } from '../support/executions.mts';
import { openModel, say, toolResult, type ModelCall } from '../support/model.mts';
import { ada, ben, bothAnswer, createRequest, fillInForm } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { node } from '../support/workflows.mts';

const rest = openRest();
const bench = await openBench('agent');
const { front } = bench;
afterAll(() => bench.close());

const chatName = 'When a chat message arrives';
const agentName = 'Decide what to do';
let created: Json = {};
const results: Json[] = [];

/** What the tool has just told the model is noted. */
const note = (call: ModelCall) => void results.push(toolResult(call));
const emailTo = (person: Json) => () =>
	say('Email_the_guest_link', { ...person, topic: 'Addresses', guestLink: created.guestLink });
const model = await openModel([
	() => {
		const given = { minimumParticipants: 2, maximumParticipants: 2, topic: 'Addresses' };
		// Text, as the field asks for.
		const participants = JSON.stringify([ada, ben]);
		return say('Create_collection_request', { ...given, participants });
	},
	(call) => {
		created = toolResult(call);
		return emailTo(ada)();
	},
	emailTo(ben),
	() => say('Wait_for_everybody', { requestId: created.requestId }),
	(call) => {
		note(call);
		return say('Read_answers', { requestId: created.requestId });
	},
	(call) => {
		note(call);
		return 'Both have answered.';
	},
	() => say('Read_state', { requestId: created.requestId }),
	(call) => {
		note(call);
		return 'It is completed.';
	},
	() => 'Hello to you.',
	// One that nobody answers.
	async () => say('Wait_for_everybody', { requestId: await createRequest() }),
]);

const key = { apiKey: 'a-key-of-the-stand-in', url: model.url };
const { id, name } = await rest.createCredential('E2E example agent', 'openAiApi', key);
const withModel = (file: WorkflowFile): WorkflowFile => ({
	...file,
	nodes: file.nodes.map((one) =>
		one.type.endsWith('.lmChatOpenAi') ? { ...one, credentials: { openAiApi: { id, name } } } : one,
	),
});
/** The file with a node that answers in the chat, even after a wait. */
const withAnswer = (file: WorkflowFile): WorkflowFile => {
	const answerName = 'Answer in the chat';
	const answer = node(answerName, '@n8n/n8n-nodes-langchain.chat', 1.3, {
		...{ operation: 'send', message: '={{ $json.output }}', options: {} },
	});
	const main = [[{ node: answerName, type: 'main', index: 0 }]];
	const changed = withNode(file, chatName, { options: { responseMode: 'responseNodes' } });
	return {
		...changed,
		nodes: [...changed.nodes, { ...answer, position: [1136, 304], webhookId: randomUUID() }],
		connections: { ...changed.connections, [agentName]: { main } },
	};
};
const plain = await bench.load('ai-agent', { change: withModel });
/** As its note says for those who want the answer in the chat. */
const workflow = await bench.load('ai-agent', { change: (file) => withAnswer(withModel(file)) });

/** Says something in the editor's chat; what n8n responds to that. */
const sessionId = randomUUID();
const tell = async (to: Workflow, chatInput: string): Promise<Record<string, string>> => {
	const start = { triggerToStartFrom: { name: chatName }, chatSessionId: sessionId };
	const run = await rest.send<Json>('POST', `/rest/workflows/${to.id}/run`, start);
	assert.equal(run.waitingForWebhook, true);
	const response = await fetch(`${n8nUrl}/webhook-test/${to.id}/${sessionId}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ action: 'sendMessage', sessionId, chatInput }),
	});
	return (await response.json()) as Record<string, string>;
};
/** The same; what n8n sends to the open chat, however long that takes, apart from signs of life. */
const speak = async (chatInput: string): Promise<string> => {
	const { executionId = '', resumeToken: token = '' } = await tell(workflow, chatInput);
	const query = new URLSearchParams({ sessionId, executionId, token, isPublic: 'false' });
	const socket = new WebSocket(`${n8nUrl.replace('http', 'ws')}/chat?${query.toString()}`);
	const said = Promise.withResolvers<string>();
	socket.addEventListener('message', ({ data }) => {
		if (data === 'n8n|heartbeat') socket.send('n8n|heartbeat-ack');
		else if (!String(data).startsWith('n8n|')) said.resolve(String(data));
	});
	socket.addEventListener('close', ({ reason }) => {
		said.reject(new Error(`n8n has closed the chat: ${reason}`));
	});
	const text = await said.promise;
	await finished(rest, executionId);
	socket.close();
	return text;
};
const waitingOf = async ({ id: workflowId }: Workflow) => {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['waiting'] }));
	const route = `/rest/executions?filter=${filter}`;
	return (await rest.send<{ results: ExecutionSummary[] }>('GET', route)).results[0]?.id;
};
const textOf = (call: ModelCall | undefined) => JSON.stringify(call?.messages);

/** All that the model gets to know of the tools. */
const toolsAsTold = [
	{
		name: 'Create_collection_request',
		description:
			'Creates one collection request for several people. Returns its requestId and the guestLink that all participants open. It emails nobody.',
		asks: [
			...['maximumParticipants: number', 'minimumParticipants: number'],
			...['participants: string', 'topic: string'],
		],
	},
	{
		name: 'Email_the_guest_link',
		description:
			'Emails the guest link of a collection request to one person. Call it once for each.',
		asks: ['email: string', 'guestLink: string', 'name: string', 'topic: string'],
	},
	{
		name: 'Read_answers',
		description: 'Reads who takes part in a collection request and what they have answered so far.',
		asks: ['requestId: string'],
	},
	{
		name: 'Read_state',
		description:
			'Tells how far a collection request is: shareStatus is open or completed, shareId is missing while nobody has opened the guest link.',
		asks: ['requestId: string'],
	},
	{
		name: 'Wait_for_everybody',
		description:
			'Waits until everybody has answered a collection request, for ten minutes at most. In its result, timedOut: true says that somebody has not answered yet.',
		asks: ['requestId: string'],
	},
];

describe('the example ai-agent, with a scripted model', () => {
	let answer: Promise<string>;

	test('one message: it creates one request, emails everybody the guest link, and waits', async () => {
		answer = speak('Please ask Ada and Ben for their address, and wait for them.');
		const executionId = await until('it waits', () => waitingOf(workflow));
		assert.equal(model.calls.length, 4, 'while it waits');
		const [made, ...more] = front.of('POST');
		assert.equal(more.length, 0);
		assert.ok(made);
		const { webhookSecret, webhookUrl, ...body } = made.body;
		assert.equal(typeof webhookSecret, 'string');
		assert.ok(String(webhookUrl).includes(`/webhook-waiting/${executionId}/data-collection`));
		assert.deepEqual(body, {
			...{ templateId: 'e2e-template', minimumParticipants: 2, maximumParticipants: 2 },
			...{ participantList: [ada, ben], webhookIdentifier: 'Addresses' },
		});
		for (const person of [ada, ben]) {
			const mail = await bench.mailTo(person.email);
			assert.equal(mail.subject, 'Addresses: please answer a few questions');
			assert.deepEqual(mail.links, [created.guestLink]);
			assert.equal(linesOf(mail)[0], `Hello ${person.name},`);
		}
	});

	test('when both have answered, it reads the answers and says so in the same chat message', async () => {
		await bothAnswer(created.guestLink, 'Address of ');
		assert.equal(await answer, 'Both have answered.');
		const execution = await newestExecution(rest, workflow.id);
		assert.equal(outputOf(execution, agentName)[0]?.output, 'Both have answered.');
		const [waited, share] = results;
		const { requestId, shareStatus, timedOut } = waited ?? {};
		assert.deepEqual([requestId, shareStatus, timedOut], [created.requestId, 'completed', false]);
		const answers = Object.values(share?.answers as Json);
		for (const person of [ada, ben]) assert.ok(answers.includes(`Address of ${person.name}`));
		assert.equal(await countExecutions(rest, workflow.id), 1);
	});

	test('the model is told how to behave and what the tools do', () => {
		const [call] = model.calls;
		assert.match(textOf(call), /never make up a name or an address/);
		assert.match(textOf(call), /Please ask Ada and Ben/);
		const told = (call?.tools ?? []).map(({ function: { parameters, ...tool } }) => ({
			...{ name: tool.name, description: tool.description },
			asks: Object.entries(parameters.properties as Record<string, Json>)
				.map(([asked, { type }]) => `${asked}: ${String(type)}`)
				.sort(),
		}));
		const byName = told.sort((one, other) => (one.name < other.name ? -1 : 1));
		assert.deepEqual(byName, toolsAsTold);
	});

	test('a later message reads the state, and the agent remembers the conversation', async () => {
		assert.equal(await speak('How far is it?'), 'It is completed.');
		assert.match(textOf(model.calls[6]), /Please ask Ada and Ben.*Both have answered.*How far/s);
		const { requestId, shareStatus } = results[2] ?? {};
		assert.deepEqual([requestId, shareStatus], [created.requestId, 'completed']);
		assert.deepEqual([front.of('POST').length, model.calls.length], [1, 8]);
	});

	test('as it is, n8n answers in the chat as well, but not after a wait', async () => {
		assert.equal((await tell(plain, 'Hello')).output, 'Hello to you.');
		const { message } = await tell(plain, 'Wait for them once more.');
		assert.equal(message, 'No item to return was found');
		await rest.send('POST', `/rest/executions/${String(await waitingOf(plain))}/stop`);
	});

	/** What the editor's Execute step does with a tool, after its dialog; the model is not asked. */
	const step = async (nodeName: string, given: Json): Promise<Execution> => {
		const tool = { name: nodeName.replaceAll(' ', '_') };
		const asked = model.calls.length;
		const run = {
			destinationNode: { nodeName, mode: 'inclusive' },
			agentRequest: { query: { [tool.name]: given }, tool },
		};
		const route = `/rest/workflows/${plain.id}/run`;
		const { executionId } = await rest.send<{ executionId: string }>('POST', route, run);
		const execution = await finished(rest, executionId);
		assert.equal(model.calls.length, asked);
		return execution;
	};
	/** What the tool has put out: n8n shows it at the tool, though another node has called it. */
	const outputOfStep = async (nodeName: string, given: Json): Promise<Json> => {
		const execution = await step(nodeName, given);
		assert.equal(execution.status, 'success', failureOf(execution));
		const [run] = execution.data.resultData.runData[nodeName] ?? [];
		const [items] = (run?.data as unknown as { ai_tool: Array<Array<{ json: Json }>> }).ai_tool;
		const { response } = (items?.[0]?.json ?? {}) as { response?: Json | Json[] };
		return [response].flat()[0] ?? {};
	};

	test('Execute step works on the tools without a model', async () => {
		const asked = { minimumParticipants: 1, maximumParticipants: 1, topic: 'Step' };
		const person = { name: 'Cleo', email: 'cleo@example.com' };
		const participants = JSON.stringify([person]);
		const made = await outputOfStep('Create collection request', { ...asked, participants });
		const { requestId, guestLink } = made;
		assert.match(String(guestLink), new RegExp(`/request/${String(requestId)}$`));
		await outputOfStep('Email the guest link', { ...person, topic: 'Step', guestLink });
		assert.deepEqual((await bench.mailTo(person.email)).links, [guestLink]);
		await fillInForm(String(guestLink), person, 'Here');
		assert.equal((await outputOfStep('Read state', { requestId })).shareStatus, 'completed');
		const read = await outputOfStep('Read answers', { requestId });
		assert.ok(Object.values(read.answers as Json).includes('Here'));
	});

	test('but Wait says that it needs the agent', async () => {
		const execution = await step('Wait for everybody', { requestId: created.requestId });
		assert.equal(execution.status, 'error');
		assert.match(String(failureOf(execution)), /cannot wait/);
	});
});
