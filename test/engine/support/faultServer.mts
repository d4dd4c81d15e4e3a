import { once } from 'node:events';
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** One request as it arrived. */
export interface Received {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** Answers the n-th request, counted from 0. */
export type Answer = (response: ServerResponse, request: Received, index: number) => void;

export interface FaultServer {
	/** `http://127.0.0.1:<port>`. */
	url: string;
	requests: Received[];
	stop: () => Promise<void>;
}

interface Options {
	port?: number;
	/** Makes it speak HTTPS. */
	certificate?: { key: string; cert: string };
}

const running: FaultServer[] = [];

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (server) => await server.stop()));
});

/** A service that answers as the test says, and keeps what it received; it ends with the test. */
export async function startFaultServer(
	answer: Answer,
	{ port = 0, certificate }: Options = {},
): Promise<FaultServer> {
	const requests: Received[] = [];
	const listener: RequestListener = (request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
			requests.push(received);
			answer(response, received, requests.length - 1);
		});
	};
	const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address() as AddressInfo;
	const started: FaultServer = {
		url: `${certificate ? 'https' : 'http'}://127.0.0.1:${address.port}`,
		requests,
		async stop() {
			if (!server.listening) return;
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
	running.push(started);
	return started;
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
