import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export type Listener = Awaited<ReturnType<typeof listen>>;

interface Options {
	/** A free port by default. */
	port?: number;
	/** Makes it speak HTTPS. */
	certificate?: { key: string; cert: string };
}

/** A server on loopback that responds as told, until it is closed or the process ends. */
export async function listen(
	answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
	{ port = 0, certificate }: Options = {},
) {
	const respond = (request: IncomingMessage, response: ServerResponse) => {
		const answering = async () => await answer(request, response);
		answering().catch(() => response.destroy());
	};
	const server = certificate ? createTlsServer(certificate, respond) : createServer(respond);
	server.unref();
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	const address = server.address() as AddressInfo;
	/** Its address, without a trailing slash. */
	const url = `${certificate ? 'https' : 'http'}://127.0.0.1:${address.port}`;
	/** Safe to call twice. */
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { url, close };
}
