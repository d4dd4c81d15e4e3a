import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Listener {
	/** Its address, without a trailing slash. */
	url: string;
	/** Safe to call twice. */
	close: () => Promise<void>;
}

interface Options {
	/** A free one unless given. */
	port?: number;
	/** Makes it speak HTTPS. */
	certificate?: { key: string; cert: string };
}

/** A server on loopback that answers as it is told, until it is closed or the process ends. */
export async function listen(
	answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
	{ port = 0, certificate }: Options = {},
): Promise<Listener> {
	const respond = (request: IncomingMessage, response: ServerResponse) => {
		const answering = async () => await answer(request, response);
		answering().catch(() => response.destroy());
	};
	const server = certificate ? createTlsServer(certificate, respond) : createServer(respond);
	server.unref();
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	const address = server.address() as AddressInfo;
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { url: `${certificate ? 'https' : 'http'}://127.0.0.1:${address.port}`, close };
}
