import Fastify, { type FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bodies are validated but not changed. */
const unchanged = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const;

const assets = { 'style.css': 'text/css', 'live.js': 'text/javascript' };

/** A server with nothing but the style of its pages and their script. */
export function buildServer(): FastifyInstance {
	const app = Fastify({
		routerOptions: { ignoreTrailingSlash: true },
		forceCloseConnections: true,
		ajv: { customOptions: { ...unchanged, allErrors: true } },
	});
	for (const [name, type] of Object.entries(assets)) {
		const content = readFileSync(join(import.meta.dirname, 'pages', name), 'utf8');
		app.get(`/${name}`, (_call, reply) => reply.type(type).send(content));
	}
	return app;
}

/** Lets it listen on 127.0.0.1; resolves to its address, and how to stop it. */
export async function listen(app: FastifyInstance, port: number) {
	const url = await app.listen({ port, host: '127.0.0.1' });
	return { url, stop: async () => await app.close() };
}
