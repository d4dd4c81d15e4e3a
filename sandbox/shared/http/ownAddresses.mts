import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isIPv6 } from 'node:net';

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/** Where a server is reached beside loopback, with the port that it listens on. */
export interface OwnAddresses {
	/** The host that it was told to listen on. */
	host?: string;
	/** Others, each with its port: of something that stands in front of it, for example. */
	addresses?: string[];
}

/** In the form in which a browser names it: in small letters, and without http's own port. */
const normal = (address: string) => address.toLowerCase().replace(/:80$/, '');

function namesOn(port: number | undefined, { host = '', addresses = [] }: OwnAddresses) {
	const hosts = [...loopback, isIPv6(host) ? `[${host}]` : host];
	const names = [...hosts.filter(Boolean).map((name) => `${name}:${port}`), ...addresses];
	return [...new Set(names.map(normal))];
}

/** Whether another web page makes a browser send this; programs send neither of the headers. */
function isOfAnotherPage({ method, headers }: FastifyRequest, host: string): boolean {
	const { origin, 'sec-fetch-site': site = 'none' } = headers;
	if (origin !== undefined && normal(origin) !== `http://${host}`) return true;
	// A link on any page may lead here; what changes something comes from the own pages.
	return method !== 'GET' && method !== 'HEAD' && site !== 'same-origin' && site !== 'none';
}

/**
 * Refuses with 403 whatever does not name one of the server's own addresses as its Host, and
 * whatever comes from another web page. The first keeps out pages whose own name leads to this
 * machine (DNS rebinding): to a browser such a page and the server are one and the same.
 */
export function respondAtOwnAddressesOnly(app: FastifyInstance, own: OwnAddresses = {}): void {
	app.addHook('onRequest', async (request, reply) => {
		const names = namesOn(request.socket.localPort, own);
		const host = normal(request.headers.host ?? '');
		if (!names.includes(host)) {
			const message = `The sandbox responds at its own addresses only: ${names.join(', ')}.`;
			return await reply.code(403).send({ code: 'foreign_host', message });
		}
		if (isOfAnotherPage(request, host)) {
			const message = 'The sandbox takes nothing from other web pages.';
			return await reply.code(403).send({ code: 'cross_origin', message });
		}
	});
}
