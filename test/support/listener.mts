import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listener {
	/** Its address, without a trailing slash. */
	url: string;
	/** Method and path of every request, in order. */
	seen: string[];
	close(): Promise<void>;
}

/** A server on loopback in place of the service; it answers as it is told. */
export async function listen(
	answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listener> {
	const seen: string[] = [];
	const server = createServer((request, response) => {
		seen.push(`${request.method} ${request.url}`);
		answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { url: `http://127.0.0.1:${port}`, seen, close };
}
