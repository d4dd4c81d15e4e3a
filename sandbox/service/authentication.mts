import type { FastifyInstance } from 'fastify';
import type { ErrorBody } from './errors.mts';
import type { Environment } from './options.mts';
import { isSameText } from './signing.mts';

const UNAUTHORIZED: ErrorBody = {
	code: 'unauthorized',
	message:
		'The API key or the token ID is missing or wrong. Send both: the header Authorization with the word Bearer and the API key, and the header tokenId.',
};

/**
 * Refuses calls without both headers of this environment (Authentication) with 401, before the body
 * is read or an ID is looked up.
 */
export function requireAuthentication(app: FastifyInstance, own: Environment): void {
	app.addHook('onRequest', async (request, reply) => {
		const { authorization, tokenid } = request.headers;
		const isKeyRight = isSameText(authorization ?? '', `Bearer ${own.apiKey}`);
		const isTokenRight = isSameText(String(tokenid ?? ''), own.tokenId);
		if (!isKeyRight || !isTokenRight) return await reply.code(401).send(UNAUTHORIZED);
	});
}
