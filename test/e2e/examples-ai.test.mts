import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { openBench, withNode } from '../support/examples.mts';
import { newestId, succeeded, waits } from '../support/executions.mts';
import { listen } from '../support/listener.mts';
import { ada, ben, bothAnswer, twoPeople } from '../support/people.mts';
import { until } from '../../sandbox/shared/until.mts';

const bench = await openBench('agent');
const chatName = 'When a chat message arrives';

/** The messages that the model got, call by call. */
const calls: Array<Array<{ role: string; content: string }>> = [];
/** A tool result that the model got before the call with this number, by default the last one. */
function toldBefore(number: number, place = -1): Json {
	const result = calls[number - 1]?.at(place);
	expect(result?.role).toBe('tool');
	const content = JSON.parse(String(result?.content)) as Json | Json[];
	return Array.isArray(content) ? (content[0] as Json) : content;
}
const created = () => toldBefore(3);
const another = () => toldBefore(4);
const create = (participants: Json[]) => ({
	tool: 'Create_collection_request',
	// As text, which the field requires.
	with: { topic: 'Addresses', participants: JSON.stringify(participants) },
});
const emailTo = (person: Json) => ({
	tool: 'Email_the_guest_link',
	with: { ...person, topic: 'Addresses', guestLink: created().guestLink },
});
const waitFor = ({ requestId }: Json) => ({ tool: 'Wait_for_everybody', with: { requestId } });
/** What the model does, in order: it uses tools, or replies with a text. */
const turns = [
	() => [create([ada, { name: 'Ben Example', email: 'ben at home' }])],
	() => [create(twoPeople)],
	() => [create(twoPeople)],
	() => [emailTo({ ...ada, email: '' })],
	() => [emailTo(ada)],
	() => [emailTo(ben)],
	() => [waitFor(created()), waitFor(another())],
	() => [{ tool: 'Read_answers', with: { requestId: created().requestId } }],
	() => 'Both have answered.',
];

/** A stand-in for a language model behind OpenAI's chat completions API. */
const { url } = await listen(async (request, response) => {
	const { messages } = (await json(request)) as { messages: (typeof calls)[0] };
	const number = calls.push(messages);
	const said = turns[number - 1]?.() ?? 'Nothing more.';
	const isText = typeof said === 'string';
	const tool_calls = (isText ? [] : said).map((call, index) => ({
		index,
		id: `call_${number}_${index}`,
		type: 'function',
		function: { name: call.tool, arguments: JSON.stringify(call.with) },
	}));
	const used = isText ? { content: said } : { content: null, tool_calls };
	const message = { role: 'assistant', ...used };
	const finish_reason = isText ? 'stop' : 'tool_calls';
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	const about = { id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000, usage };
	const choices = [{ index: 0, message, finish_reason }];
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ ...about, model: 'stand-in', choices }));
});

test('an agent learns what to correct, invites two people twice, waits twice, and says what they answered', async () => {
	const keys = { apiKey: 'a-key-of-the-stand-in', url: `${url}/v1` };
	const { id: modelId, name } = await rest.createCredential('E2E agent', 'openAiApi', keys);
	const credentials = { openAiApi: { id: modelId, name } };
	const workflow = await bench.load('ai-agent', (file) => {
		const changed = withNode(file, chatName, { public: true });
		const withModel = changed.nodes.map((one) =>
			one.type.endsWith('.lmChatOpenAi') ? { ...one, credentials } : one,
		);
		return { ...changed, nodes: withModel };
	});
	const { id, nodes } = await publish(rest, workflow);
	const { webhookId } = nodes.find(({ name }) => name === chatName) ?? {};
	const said = fetch(`${n8nUrl}/webhook/${String(webhookId)}/chat`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({
			action: 'sendMessage',
			sessionId: randomUUID(),
			chatInput: 'Ask them.',
		}),
	});
	const executionId = await newestId(id);
	await waits(executionId);
	bothAnswer(created().guestLink, 'Address of ', bench.service);
	// n8n runs the calls of a turn one after the other: now the second one waits.
	const read = `/di/collection-request/${String(another().requestId)}`;
	await until('the second one is read', () => bench.service.calls.some(({ url }) => url === read));
	await waits(executionId);
	bothAnswer(another().guestLink, 'Another address of ', bench.service);
	const execution = await succeeded(executionId);
	expect(outputOf(execution, 'Decide what to do')).toEqual([{ output: 'Both have answered.' }]);
	// The chat has no item when the wait begins, as the example's note says.
	expect((await said).status).toBe(500);

	// A tool that fails says what to do, too.
	expect(toldBefore(2)).toEqual({
		error: 'Participant 2 has no valid email: ben at home',
		message: 'Enter an address like nathan@example.com, or leave the email empty.',
	});
	expect(toldBefore(5)).toEqual({ error: 'No recipients defined' });
	const waited = [created(), another()].map(({ requestId }) => ({
		requestId,
		shareStatus: 'completed',
		timedOut: false,
	}));
	expect([toldBefore(8, -3), toldBefore(8)]).toMatchObject(waited);
	const given = { 'Delivery address': 'Address of Ada Example' };
	expect(toldBefore(9)).toMatchObject({ answers: given });
	const { guestLink } = created();
	expect(bench.mails().map(({ to, links }) => [to, links])).toEqual([
		[[ada.email], [guestLink]],
		[[ben.email], [guestLink]],
	]);
	expect(bench.service.calls.flatMap(({ body }) => body.participantList ?? [])).toEqual([
		...twoPeople,
		...twoPeople,
	]);
});
