import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { failureOf, outputOf, type Execution, type Json } from '../../sandbox/n8n/types.mts';
import type { Workflow, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { serviceCredential } from '../../sandbox/shared/service.mts';
import { n8nUrl, serviceUrl } from '../support/environment.mts';
import { countExecutions, finished, newestExecutions } from '../support/executions.mts';
import { linesOf, openBench, withNode, type ExampleBench } from '../support/examples.mts';
import { openFront, type Front } from '../support/front.mts';
import { openModel, say, toolResult, type Model, type ModelCall } from '../support/model.mts';
import { fillInForm } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { node } from '../support/workflows.mts';

const people = [
	{ name: 'Ada Example', email: 'ada@example.com' },
	{ name: 'Ben Example', email: 'ben@example.com' },
];
const chatName = 'When a chat message arrives';
const agentName = 'Decide what to do';
/** The file with a node that answers in the chat, even after a wait. */
function withAnswer(file: WorkflowFile): WorkflowFile {
	const name = 'Answer in the chat';
	const answer = node(name, '@n8n/n8n-nodes-langchain.chat', 1.3, {
		...{ operation: 'send', message: '={{ $json.output }}', options: {} },
	});
	const main = [[{ node: name, type: 'main', index: 0 }]];
	const changed = withNode(file, chatName, { options: { responseMode: 'responseNodes' } });
	return {
		...changed,
		nodes: [...changed.nodes, { ...answer, position: [1136, 304], webhookId: randomUUID() }],
		connections: { ...changed.connections, [agentName]: { main } },
	};
}

describe('the example ai-agent, with a scripted model', () => {
	let bench: ExampleBench;
	let front: Front;
	let model: Model;
	/** As its note says for those who want the answer in the chat. */
	let workflow: Workflow;
	/** As it is. */
	let plain: Workflow;
	let created: Json = {};
	const results: Json[] = [];
	const sessionId = randomUUID();

	/** One that nobody answers, made by the service's API. */
	const openRequest = async () => {
		const { apiKey, tokenId } = serviceCredential;
		const response = await fetch(`${serviceUrl}/di/collection-request/`, {
			method: 'POST',
			headers: { authorization: `Bearer ${apiKey}`, tokenId, 'content-type': 'application/json' },
			body: JSON.stringify({ templateId: 'e2e-template' }),
		});
		return ((await response.json()) as Json)._id;
	};

	/** What the tool has just told the model is noted, then the model says its text. */
	const noteAndSay = (text: string) => async (call: ModelCall) => {
		results.push(toolResult(call));
		return await Promise.resolve(text);
	};
	beforeAll(async () => {
		front = await openFront();
		bench = await openBench('agent', { productionBaseUrl: front.url });
		const emailTo = (index: number) => () =>
			say('Email_the_guest_link', {
				...{ ...people[index], topic: 'Addresses', guestLink: created.guestLink },
			});
		model = await openModel([
			() => {
				const given = { minimumParticipants: 2, maximumParticipants: 2, topic: 'Addresses' };
				// Text, as the field asks for.
				return say('Create_collection_request', { ...given, participants: JSON.stringify(people) });
			},
			async (call) => {
				created = toolResult(call);
				return await emailTo(0)();
			},
			emailTo(1),
			() => say('Wait_for_everybody', { requestId: created.requestId }),
			async (call) => {
				results.push(toolResult(call));
				return await say('Read_answers', { requestId: created.requestId });
			},
			noteAndSay('Both have answered.'),
			() => say('Read_state', { requestId: created.requestId }),
			noteAndSay('It is completed.'),
			() => Promise.resolve('Hello to you.'),
			async () => {
				const open = await openRequest();
				return await say('Wait_for_everybody', { requestId: open });
			},
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
		workflow = await bench.load('ai-agent', { change: (file) => withAnswer(withModel(file)) });
		plain = await bench.load('ai-agent', { change: withModel });
	});
	afterAll(async () => {
		await model[Symbol.asyncDispose]();
		await front.close();
		await bench.close();
	});

	/** Says something in the editor's chat; what n8n responds to that. */
	const tell = async ({ id }: Workflow, chatInput: string): Promise<Record<string, string>> => {
		const start = { triggerToStartFrom: { name: chatName }, chatSessionId: sessionId };
		const run = await bench.rest.send<Json>('POST', `/rest/workflows/${id}/run`, start);
		assert.equal(run.waitingForWebhook, true);
		const response = await fetch(`${n8nUrl}/webhook-test/${id}/${sessionId}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ action: 'sendMessage', sessionId, chatInput }),
		});
		return (await response.json()) as Record<string, string>;
	};
	/** The same; what the chat shows next, however long that takes. */
	const speak = async (chatInput: string): Promise<string> => {
		const { executionId = '', resumeToken = '' } = await tell(workflow, chatInput);
		return await answerOf(executionId, resumeToken);
	};
	/** What n8n sends to the open chat, apart from signs of life. */
	const answerOf = async (executionId: string, token: string): Promise<string> => {
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
		await finished(bench.rest, executionId);
		socket.close();
		return text;
	};
	const newest = async (): Promise<Execution> => {
		const [execution] = await newestExecutions(bench.rest, workflow.id, 1);
		assert.ok(execution);
		assert.equal(execution.status, 'success', failureOf(execution));
		return execution;
	};
	const idsOf = async ({ id: workflowId }: Workflow, status: string): Promise<string[]> => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: [status] }));
		const route = `/rest/executions?filter=${filter}`;
		const { results: found } = await bench.rest.send<{ results: Array<{ id: string }> }>(
			'GET',
			route,
		);
		return found.map(({ id }) => id);
	};
	const textOf = (call: ModelCall | undefined) => JSON.stringify(call?.messages);

	let answer: Promise<string>;

	test('one message: it creates one request, emails everybody the guest link, and waits', async () => {
		answer = speak('Please ask Ada and Ben for their address, and wait for them.');
		const id = await until('it waits', async () => (await idsOf(workflow, 'waiting'))[0]);
		assert.equal(model.calls.length, 4, 'while it waits');
		const [made, ...more] = front.of('POST');
		assert.equal(more.length, 0);
		assert.ok(made);
		const { webhookSecret, webhookUrl, ...body } = made.body;
		assert.equal(typeof webhookSecret, 'string');
		assert.ok(String(webhookUrl).includes(`/webhook-waiting/${id}/data-collection`));
		assert.deepEqual(body, {
			templateId: 'e2e-template',
			minimumParticipants: 2,
			maximumParticipants: 2,
			participantList: people,
			webhookIdentifier: 'Addresses',
		});
		for (const { name, email } of people) {
			const [mail, ...others] = await bench.mailsTo(email);
			assert.ok(mail);
			assert.equal(others.length, 0);
			assert.deepEqual(mail.to, [email]);
			assert.equal(mail.subject, 'Addresses: please answer a few questions');
			assert.deepEqual(mail.links, [created.guestLink]);
			assert.equal(linesOf(mail)[0], `Hello ${name},`);
		}
	});

	test('when both have answered, it reads the answers and says so in the same chat message', async () => {
		for (const person of people) {
			await fillInForm(String(created.guestLink), person, `Address of ${person.name}`);
		}
		assert.equal(await answer, 'Both have answered.');
		assert.equal(outputOf(await newest(), agentName)[0]?.output, 'Both have answered.');
		const [waited, share] = results;
		assert.equal(waited?.requestId, created.requestId);
		assert.equal(waited?.shareStatus, 'completed');
		assert.equal(waited?.timedOut, false);
		const answers = Object.values(share?.answers as Json);
		for (const { name } of people) assert.ok(answers.includes(`Address of ${name}`));
		assert.equal(await countExecutions(bench.rest, workflow.id), 1);
	});

	test('the model is told how to behave and what the tools do', () => {
		const [call] = model.calls;
		assert.match(textOf(call), /never make up a name or an address/);
		assert.match(textOf(call), /Please ask Ada and Ben/);
		const told = (call?.tools ?? []).map(({ function: { name, description, parameters } }) => ({
			...{ name, description },
			asks: Object.entries(parameters.properties as Record<string, Json>)
				.map(([asked, { type }]) => `${asked}: ${String(type)}`)
				.sort(),
		}));
		assert.deepEqual(
			told.sort((one, other) => (one.name < other.name ? -1 : 1)),
			[
				{
					name: 'Create_collection_request',
					description:
						'Creates one collection request for several people. Returns its requestId and the guestLink that all participants open. It emails nobody.',
					asks: [
						'maximumParticipants: number',
						'minimumParticipants: number',
						'participants: string',
						'topic: string',
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
					description:
						'Reads who takes part in a collection request and what they have answered so far.',
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
			],
		);
	});

	test('a later message reads the state, and the agent remembers the conversation', async () => {
		assert.equal(await speak('How far is it?'), 'It is completed.');
		assert.match(textOf(model.calls[6]), /Please ask Ada and Ben.*Both have answered.*How far/s);
		assert.equal(results[2]?.requestId, created.requestId);
		assert.equal(results[2]?.shareStatus, 'completed');
		assert.equal(front.of('POST').length, 1);
		assert.equal(model.calls.length, 8);
	});

	test('as it is, n8n answers in the chat as well, but not after a wait', async () => {
		const { output } = await tell(plain, 'Hello');
		assert.equal(output, 'Hello to you.');
		const { message } = await tell(plain, 'Wait for them once more.');
		assert.equal(message, 'No item to return was found');
		const [id = ''] = await idsOf(plain, 'waiting');
		await bench.rest.send('POST', `/rest/executions/${id}/stop`);
	});

	/** What the editor's Execute step does with a tool, after its dialog; the model is not asked. */
	const step = async (nodeName: string, given: Json): Promise<Execution> => {
		const name = nodeName.replaceAll(' ', '_');
		const asked = model.calls.length;
		const { executionId } = await bench.rest.send<{ executionId: string }>(
			'POST',
			`/rest/workflows/${plain.id}/run`,
			{
				destinationNode: { nodeName, mode: 'inclusive' },
				agentRequest: { query: { [name]: given }, tool: { name } },
			},
		);
		const execution = await finished(bench.rest, executionId);
		assert.equal(model.calls.length, asked);
		return execution;
	};
	/** What the tool has put out: n8n shows it at the tool, though another node has called it. */
	const outputOfTool = (execution: Execution, nodeName: string): Json => {
		assert.equal(execution.status, 'success', failureOf(execution));
		const [run] = execution.data.resultData.runData[nodeName] ?? [];
		const [items] = (run?.data as unknown as { ai_tool: Array<Array<{ json: Json }>> }).ai_tool;
		const { response } = (items?.[0]?.json ?? {}) as { response?: Json | Json[] };
		return [response].flat()[0] ?? {};
	};

	test('Execute step works on the tools without a model', async () => {
		const asked = { minimumParticipants: 1, maximumParticipants: 1, topic: 'Step' };
		const participants = JSON.stringify([{ name: 'Cleo', email: 'cleo@example.com' }]);
		const creating = await step('Create collection request', { ...asked, participants });
		const { requestId, guestLink } = outputOfTool(creating, 'Create collection request');
		assert.match(String(guestLink), new RegExp(`/request/${String(requestId)}$`));
		const person = { name: 'Cleo', email: 'cleo@example.com', topic: 'Step', guestLink };
		const emailing = await step('Email the guest link', person);
		assert.equal(emailing.status, 'success', failureOf(emailing));
		assert.deepEqual((await bench.mailsTo(person.email))[0]?.links, [guestLink]);
		await fillInForm(String(guestLink), person, 'Here');
		const state = outputOfTool(await step('Read state', { requestId }), 'Read state');
		assert.equal(state.shareStatus, 'completed');
		const read = outputOfTool(await step('Read answers', { requestId }), 'Read answers');
		assert.ok(Object.values(read.answers as Json).includes('Here'));
	});

	test('but Wait says that it needs the agent', async () => {
		const { requestId } = created;
		const execution = await step('Wait for everybody', { requestId });
		assert.equal(execution.status, 'error');
		assert.match(String(failureOf(execution)), /cannot wait/);
	});
});
