import type { IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Json } from '../../sandbox/n8n/types.mts';
import { serviceUrl } from './environment.mts';
import { listen } from './listener.mts';

/** A call to the service's API, as it arrived. */
interface Call {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: Json;
}

interface Reply {
	status: number;
	/** The text of the status line. */
	reason?: string;
	body?: Json;
	headers?: Record<string, string>;
	/** Sent in place of the JSON body. */
	text?: string;
}

/** Lets the sandbox service respond. */
export async function passOn({ method, url, headers, body }: Call): Promise<Reply> {
	const { authorization = '', tokenid } = headers;
	const response = await fetch(`${serviceUrl}${url}`, {
		method,
		headers: { authorization, tokenId: String(tokenid), 'content-type': 'application/json' },
		body: method === 'POST' ? JSON.stringify(body) : undefined,
	});
	return { status: response.status, body: (await response.json()) as Json };
}

/** Sits in front of the sandbox service, which responds unless the test replaces `respond`. */
export async function openFront() {
	const seen: Call[] = [];
	const { url: address } = await listen(async (request, response) => {
		const { method = '', url = '', headers } = request;
		const body = method === 'POST' ? ((await json(request)) as Json) : {};
		const call = { method, url, headers, body };
		seen.push(call);
		const reply = await front.respond(call);
		response.statusMessage = reply.reason ?? '';
		response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
		response.end(reply.text ?? JSON.stringify(reply.body));
	});
	const front = {
		/** Its address, without a trailing slash. */
		url: address,
		/** Every call, in order. */
		seen,
		respond: passOn as (call: Call) => Reply | Promise<Reply>,
	};
	return front;
}
