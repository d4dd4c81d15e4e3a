import type { FastifyInstance } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Refuses, with 403, whatever another web page makes a browser send to change something; calls of
 * programs, which carry neither header, pass.
 */
export function refuseCrossOrigin(app: FastifyInstance): void {
	app.addHook('onRequest', async ({ method, headers }, reply) => {
		if (method === 'GET' || method === 'HEAD' || !isFromElsewhere(headers)) return;
		return await reply.code(403).send({
			code: 'cross_origin',
			message: 'The sandbox accepts forms from its own pages only.',
		});
	});
}

function isFromElsewhere({ origin, host, ...headers }: IncomingHttpHeaders): boolean {
	const site = headers['sec-fetch-site'];
	if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
	if (origin === undefined) return false;
	return !URL.canParse(origin) || new URL(origin).host !== host;
}
