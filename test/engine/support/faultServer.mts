import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { listen, type Listener } from '../../support/listener.mts';

/** One request as it arrived. */
export interface Received {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** Answers the n-th request, counted from 0. */
export type Answer = (response: ServerResponse, request: Received, index: number) => void;

export interface FaultServer extends Listener {
	requests: Received[];
}

let running: FaultServer[] = [];

afterEach(async () => {
	await Promise.all(running.map(async (server) => await server.close()));
	running = [];
});

/** A service that answers as the test says, and keeps what it received; it ends with the test. */
export async function startFaultServer(
	answer: Answer,
	options?: Parameters<typeof listen>[1],
): Promise<FaultServer> {
	const requests: Received[] = [];
	const listener = await listen(async (request, response) => {
		const { method = '', url = '', headers } = request;
		const received = { method, url, headers, body: await textOf(request) };
		answer(response, received, requests.push(received) - 1);
	}, options);
	running.push({ ...listener, requests });
	return { ...listener, requests };
}

/** An answer with a JSON body. */
export const json =
	(status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
	(response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
	};

/** An answer with a body of any other kind. */
export const text =
	(status: number, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
	(response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(body);
	};

/** Answers each request as this chooses for it. */
export const by =
	(choose: (request: Received, index: number) => Answer): Answer =>
	(response, request, index) =>
		choose(request, index)(response, request, index);

/** A service that has these resources, by their paths below /di/, and knows no others. */
export const having = (resources: Record<string, unknown>): Answer =>
	by(({ url }) => {
		const found = resources[url.replace('/di/', '')];
		return found === undefined ? json(404, {}) : json(200, found);
	});
