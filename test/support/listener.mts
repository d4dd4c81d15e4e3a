import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listener {
	/** Its address, without a trailing slash. */
	url: string;
	/** Method and path of every request, in order. */
	seen: string[];
	close(): Promise<void>;
}

/** A server on loopback that answers as it is told, until it is closed or the process ends. */
export async function listen(
	answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<Listener> {
	const seen: string[] = [];
	const server = createServer((request, response) => {
		seen.push(`${request.method} ${request.url}`);
		const answering = async () => await answer(request, response);
		answering().catch(() => response.destroy());
	});
	server.unref();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { url: `http://127.0.0.1:${port}`, seen, close };
}
