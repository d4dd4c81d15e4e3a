import { json } from 'node:stream/consumers';
import type { Json } from '../../sandbox/n8n/types.mts';
import { rest } from './environment.mts';
import { listen } from './listener.mts';

interface ToolCall {
	/** The tool's name, as the model was given it. */
	name: string;
	arguments: Json;
}

/** A call to the chat completions API: the parts that matter here. */
export interface ModelCall {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; description: string; parameters: Json } }>;
}

/** The model's next turn: it uses a tool, or replies with a text. */
export type Turn = (call: ModelCall) => ToolCall | string | Promise<ToolCall | string>;

/** A turn in which the model uses a tool. */
export const say = (name: string, given: Json): ToolCall => ({ name, arguments: given });

/** The JSON of the item that the tool has just passed to the model. */
export function toolResult({ messages }: ModelCall): Json {
	const last = messages.at(-1);
	expect(last?.role).toBe('tool');
	const content: unknown = JSON.parse(String(last?.content));
	return (Array.isArray(content) ? content[0] : content) as Json;
}

function messageOf(said: ToolCall | string, number: number): Json {
	if (typeof said === 'string') return { role: 'assistant', content: said };
	const called = { name: said.name, arguments: JSON.stringify(said.arguments) };
	const tool_calls = [{ index: 0, id: `call_${number}`, type: 'function', function: called }];
	return { role: 'assistant', content: null, tool_calls };
}

/**
 * Opens a stand-in for a language model behind OpenAI's chat completions API, which takes its turns
 * in order and responds with 400 to any further call. Returns the calls it got, in order, and how a
 * node in n8n is connected to it.
 */
export async function openModel(name: string, turns: Turn[]) {
	const calls: ModelCall[] = [];
	const { url } = await listen(async (request, response) => {
		const call = (await json(request)) as ModelCall;
		const turn = turns[calls.push(call) - 1];
		const message = turn && messageOf(await turn(call), calls.length);
		response.writeHead(message === undefined ? 400 : 200, { 'content-type': 'application/json' });
		const finish_reason = message?.tool_calls === undefined ? 'stop' : 'tool_calls';
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const choices = [{ index: 0, message, finish_reason }];
		const common = { id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000 };
		response.end(JSON.stringify({ ...common, model: 'stand-in', usage, choices }));
	});
	const fields = { apiKey: 'a-key-of-the-stand-in', url: `${url}/v1` };
	const { id } = await rest.createCredential(name, 'openAiApi', fields);
	return { calls, credentials: { openAiApi: { id, name } } };
}
