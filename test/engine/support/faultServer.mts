import { once } from 'node:events';
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
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
	stop(): Promise<void>;
}

/** A service that answers as the test says, and keeps what it received. */
export async function startFaultServer(answer: Answer, fixedPort = 0): Promise<FaultServer> {
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
	const server = createServer(listener);
	server.listen(fixedPort, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		async stop() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

/** Runs a test against a service that answers like this, and stops it afterwards. */
export async function withFaultServer<T>(
	answer: Answer,
	use: (server: FaultServer) => Promise<T>,
): Promise<T> {
	const server = await startFaultServer(answer);
	try {
		return await use(server);
	} finally {
		await server.stop();
	}
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
	(status: number, body: string, contentType = 'application/json'): Answer =>
	(response) => {
		response.writeHead(status, { 'content-type': contentType });
		response.end(body);
	};
