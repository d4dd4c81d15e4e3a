import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { agentName, runAgent, toolNode } from '../support/agent.mts';
import { createCredential } from '../support/credential.mts';
import { serviceUrl } from '../support/environment.mts';
import { say, toolResult } from '../support/model.mts';
import { complete, createRequest } from '../support/sandboxService.mts';

const credential = await createCredential('E2E agent');

const requestId = "={{ $fromAI('requestId', 'ID of the collection request', 'string') }}";
const readTool = toolNode('Read answers', credential, {
	resource: 'share',
	operation: 'get',
	shareBy: 'requestId',
	requestId,
});

test('an error of the tool reaches the agent as text, which can go on', async () => {
	const { calls } = await runAgent({
		name: 'E2E agent error',
		tools: [readTool],
		turns: [
			() => say('Read_answers', { requestId: 'no-such-request' }),
			() => 'There is no such request.',
		],
	});
	expect(String(calls[1]?.messages.at(-1)?.content)).toMatch(
		/does not know the collection request/,
	);
});

describe('Wait as a tool', () => {
	const name = 'Wait';
	const waitTool = (parameters: Json = {}) =>
		toolNode(name, credential, {
			resource: 'collectionRequest',
			operation: 'wait',
			requestId,
			...parameters,
		});

	test('takes a request ID, and what times out reaches the agent by its only output', async () => {
		const id = await createRequest();
		const { calls } = await runAgent({
			name: 'E2E agent times out',
			tools: [waitTool({ limitWaitTime: true, resumeAmount: 1, resumeUnit: 'seconds' })],
			turns: [
				() => say(name, { requestId: id }),
				async () => {
					await complete(id);
					return say(name, { requestId: id });
				},
				() => 'It is completed.',
			],
		});
		const guestLink = `${serviceUrl}/request/${id}`;
		const [first, second] = calls.slice(1).map(toolResult);
		expect(first).toStrictEqual({ requestId: id, guestLink, timedOut: true });
		expect(second).toMatchObject({ requestId: id, shareStatus: 'completed', timedOut: false });
		const asked = calls[0]?.tools?.[0]?.function.parameters.properties;
		expect(Object.keys(asked as Json)).toEqual(['requestId']);
	});

	test('in an older agent it fails and says why, and the agent goes on', async () => {
		const { execution } = await runAgent({
			name: 'E2E older agent',
			version: 2.2,
			tools: [waitTool()],
			turns: [() => say(name, { requestId: 'any' }), () => 'I cannot wait.'],
		});
		// n8n does not tell an older agent that a tool failed; people see it on the tool node.
		const runs = execution.data.resultData.runData[name] ?? [];
		expect(runs.length).toBe(1);
		const message = String(runs[0]?.error?.message);
		expect(message).toMatch(/^A tool cannot wait inside the process of an AI Agent/);
		expect(outputOf(execution, agentName)[0]?.output).toBe('I cannot wait.');
	});
});
