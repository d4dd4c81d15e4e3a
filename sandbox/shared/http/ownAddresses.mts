import type { FastifyInstance, FastifyRequest } from 'fastify';

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/** Where a server can be reached, besides loopback with the port that it listens on. */
export interface OwnAddresses {
	/** Others, each with its port, for example that of a proxy in front of it. */
	addresses?: string[];
}

/** As a browser writes it: in lower case and without HTTP's default port. */
const normal = (address: string) => address.toLowerCase().replace(/:80$/, '');

function namesOn(port: number | undefined, { addresses = [] }: OwnAddresses) {
	const names = [...loopback.map((name) => `${name}:${port}`), ...addresses];
	return [...new Set(names.map(normal))];
}

/** Whether another web page caused the request; programs send neither of these headers. */
function isOfAnotherPage({ method, headers }: FastifyRequest, host: string): boolean {
	const { origin, 'sec-fetch-site': site = 'none' } = headers;
	if (origin !== undefined && normal(origin) !== `http://${host}`) return true;
	// Any page may link here, but changes may come only from the server's own pages.
	return method !== 'GET' && method !== 'HEAD' && site !== 'same-origin' && site !== 'none';
}

/**
 * Refuses with 403 any request whose Host is not one of the server's own addresses, and any that
 * comes from another web page. The first keeps out pages whose domain name resolves to this
 * machine (DNS rebinding): to a browser, such a page and the server have the same origin.
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
