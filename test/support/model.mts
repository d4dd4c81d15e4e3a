import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Json } from '../../sandbox/n8n/types.mts';
import { listen } from './listener.mts';

export interface ToolCall {
	/** As the model was told: the tool's name. */
	name: string;
	arguments: Json;
}

/** A call to the chat completions API: the parts that matter here. */
export interface ModelCall {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; description: string; parameters: Json } }>;
	stream?: boolean;
}

/** What the model says next: it uses a tool, or it answers with a text. */
export type Turn = (call: ModelCall) => ToolCall | string | Promise<ToolCall | string>;

/** A stand-in for a language model behind OpenAI's chat completions API. */
export interface Model {
	/** Base URL for the credential. */
	url: string;
	/** Every call, in order. */
	calls: ModelCall[];
}

/** The turn of a model that uses a tool. */
export const say = (name: string, given: Json): ToolCall => ({ name, arguments: given });

/** The JSON of the item that the tool has just given to the model. */
export function toolResult({ messages }: ModelCall): Json {
	const last = messages.at(-1);
	assert.equal(last?.role, 'tool');
	const content: unknown = JSON.parse(String(last?.content));
	return (Array.isArray(content) ? content[0] : content) as Json;
}

function messageOf(said: ToolCall | string, number: number): Json {
	if (typeof said === 'string') return { role: 'assistant', content: said };
	const called = { name: said.name, arguments: JSON.stringify(said.arguments) };
	const tool_calls = [{ index: 0, id: `call_${number}`, type: 'function', function: called }];
	return { role: 'assistant', content: null, tool_calls };
}

function answer(response: ServerResponse, { stream }: ModelCall, message: Json): void {
	const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	const common = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'stand-in', usage };
	if (!stream) {
		const choices = [{ index: 0, message, finish_reason }];
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ ...common, object: 'chat.completion', choices }));
		return;
	}
	const choices = [{ index: 0, delta: message, finish_reason }];
	const chunk = { ...common, object: 'chat.completion.chunk', choices };
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
}

/** Opens a model that takes its turns one after the other; to more calls it responds with 400. */
export async function openModel(turns: Turn[]): Promise<Model> {
	const calls: ModelCall[] = [];
	const { url } = await listen(async (request, response) => {
		try {
			const call = (await json(request)) as ModelCall;
			const turn = turns[calls.push(call) - 1];
			if (turn === undefined) throw new Error('The model was asked too often');
			answer(response, call, messageOf(await turn(call), calls.length));
		} catch (error) {
			response.writeHead(400, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ error: { message: String(error) } }));
		}
	});
	return { url: `${url}/v1`, calls };
}
