import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import type { ExecutionSummary, Workflow, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { linesOf, openBench, withNode } from '../support/examples.mts';
import { countExecutions, finished, newestExecution } from '../support/executions.mts';
import { openModel, say, toolResult, type ModelCall } from '../support/model.mts';
import { ada, ben, bothAnswer, twoPeople } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { node, to } from '../support/workflows.mts';

const bench = await openBench('agent');
const { front } = bench;

const chatName = 'When a chat message arrives';
const agentName = 'Decide what to do';

/** The tool result that the model got before the call with this number. */
const toldBefore = (number: number) => toolResult(calls[number - 1] as ModelCall);
const created = () => toldBefore(2);
const emailTo = (person: Json) => () =>
	say('Email_the_guest_link', { ...person, topic: 'Addresses', guestLink: created().guestLink });
const { calls, credentials } = await openModel('E2E example agent', [
	() =>
		say('Create_collection_request', {
			topic: 'Addresses',
			// As text, which the field requires.
			participants: JSON.stringify(twoPeople),
		}),
	emailTo(ada),
	emailTo(ben),
	() => say('Wait_for_everybody', { requestId: created().requestId }),
	() => say('Read_answers', { requestId: created().requestId }),
	() => 'Both have answered.',
]);

const withModel = (file: WorkflowFile): WorkflowFile => ({
	...file,
	nodes: file.nodes.map((one) =>
		one.type.endsWith('.lmChatOpenAi') ? { ...one, credentials } : one,
	),
});
/** The file with a node that replies in the chat, even after a wait. */
const withAnswer = (file: WorkflowFile): WorkflowFile => {
	const answerName = 'Answer in the chat';
	const answer = node(answerName, '@n8n/n8n-nodes-langchain.chat', 1.3, {
		operation: 'send',
		message: '={{ $json.output }}',
		options: {},
	});
	const options = { responseMode: 'responseNodes' };
	const changed = withNode(file, chatName, { public: true, options });
	return {
		...changed,
		nodes: [...changed.nodes, { ...answer, position: [1136, 304], webhookId: randomUUID() }],
		connections: { ...changed.connections, [agentName]: { main: [to(answerName)] } },
	};
};
/** Set up as its note says for people who want the reply in the chat. */
const workflow = await publish(
	rest,
	await bench.load('ai-agent', { change: (file) => withAnswer(withModel(file)) }),
);

/** Says something in the published chat; resolves to what n8n sends there, however long it takes. */
const speak = async (chatInput: string): Promise<string> => {
	const sessionId = randomUUID();
	const { webhookId } = workflow.nodes.find(({ name }) => name === chatName) ?? {};
	const response = await fetch(`${n8nUrl}/webhook/${String(webhookId)}/chat`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ action: 'sendMessage', sessionId, chatInput }),
	});
	const started = (await response.json()) as Record<string, string>;
	const { executionId = '', resumeToken: token = '' } = started;
	const query = new URLSearchParams({ sessionId, executionId, token, isPublic: 'true' });
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
	await finished(executionId);
	socket.close();
	return text;
};
const waitingOf = async ({ id: workflowId }: Workflow) => {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['waiting'] }));
	const route = `/rest/executions?filter=${filter}`;
	return (await rest.send<{ results: ExecutionSummary[] }>('GET', route)).results[0]?.id;
};

let answer: Promise<string>;

test('one message: it creates one request, emails everybody the guest link, and waits', async () => {
	answer = speak('Please ask Ada and Ben for their address, and wait for them.');
	const executionId = await until('it waits', () => waitingOf(workflow));
	expect(calls.length).toBe(4);
	const [made, ...more] = front.of('POST');
	expect(more.length).toBe(0);
	assert.ok(made);
	const { webhookSecret, webhookUrl, ...body } = made.body;
	expect(typeof webhookSecret).toBe('string');
	expect(webhookUrl).toMatch(`/webhook-waiting/${executionId}/data-collection`);
	expect(body).toStrictEqual({
		templateId: 'e2e-template',
		minimumParticipants: 2,
		maximumParticipants: 10,
		participantList: twoPeople,
		webhookIdentifier: 'Addresses',
	});
	for (const person of twoPeople) {
		const mail = await bench.mailTo(person.email);
		expect(mail.subject).toBe('Addresses: please answer a few questions');
		expect(mail.links).toStrictEqual([created().guestLink]);
		expect(linesOf(mail)[0]).toBe(`Hello ${person.name},`);
	}
});

test('when both have answered, it reads the answers and says so in the same chat message', async () => {
	await bothAnswer(created().guestLink, 'Address of ');
	expect(await answer).toBe('Both have answered.');
	const execution = await newestExecution(workflow.id);
	expect(outputOf(execution, agentName)[0]?.output).toBe('Both have answered.');
	const { requestId, shareStatus, timedOut } = toldBefore(5);
	expect([requestId, shareStatus, timedOut]).toStrictEqual([
		created().requestId,
		'completed',
		false,
	]);
	const answers = Object.values(toldBefore(6).answers as Json);
	for (const person of twoPeople) expect(answers).toContain(`Address of ${person.name}`);
	expect(await countExecutions(workflow.id)).toBe(1);
});
