import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Json } from '../../sandbox/n8n/types.mts';
import { serviceUrl } from './environment.mts';
import { listen } from './listener.mts';

/** One call as it arrived; `at` is in milliseconds. */
interface FrontCall {
	method: string;
	url: string;
	headers: IncomingMessage['headers'];
	body: Json;
	at: number;
}

interface Reply {
	status: number;
	body: Json;
	headers?: Record<string, string>;
	/** Sent in place of the JSON body. */
	text?: string;
}

/** What happens to a call: a reply in place of the service's, or no response at all. */
type Decision = Reply | 'hang' | undefined;

/** Sits in front of the sandbox service, which handles every call that `decide` leaves to it. */
interface Front {
	/** Decides what happens to a call; undefined lets the service respond. */
	decide?: (call: FrontCall) => Decision;
	/** Runs after the service has responded and before n8n gets that response. */
	before?: (call: FrontCall, reply: Reply) => Promise<unknown>;
	/** Its address, without a trailing slash. */
	url: string;
	/** Every call, in order. */
	seen: FrontCall[];
	/** The calls of one method. */
	of(method: 'GET' | 'POST'): FrontCall[];
	close(): Promise<void>;
}

async function passOn({ method, url, headers, body }: FrontCall): Promise<Reply> {
	const { authorization = '', tokenid } = headers;
	const sent = { authorization, tokenId: String(tokenid), 'content-type': 'application/json' };
	const response = await fetch(`${serviceUrl}${url}`, {
		method,
		headers: sent,
		body: method === 'POST' ? JSON.stringify(body) : undefined,
	});
	return { status: response.status, body: (await response.json()) as Json };
}

async function handle(front: Front, request: IncomingMessage, response: ServerResponse) {
	const { method = '', url = '', headers } = request;
	const body = method === 'POST' ? ((await json(request)) as Json) : {};
	const call = { method, url, headers, body, at: Date.now() };
	const decided = front.decide?.(call);
	front.seen.push(call);
	if (decided === 'hang') return;
	const reply = decided ?? (await passOn(call));
	await front.before?.(call, reply);
	response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
	response.end(reply.text ?? JSON.stringify(reply.body));
}

/** Opens a front whose behaviour can be changed while it runs. */
export async function openFront(): Promise<Front> {
	const front: Front = {
		...(await listen((request, response) => handle(front, request, response))),
		seen: [],
		of: (method) => front.seen.filter((call) => call.method === method),
	};
	return front;
}
