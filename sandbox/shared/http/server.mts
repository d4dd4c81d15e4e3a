import Fastify, { type FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Bodies are validated but not changed. */
const unchanged = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const;

const assets = { 'style.css': 'text/css', 'live.js': 'text/javascript' };

/** A server with nothing but its health check, the style of its pages and their script. */
export function buildServer(): FastifyInstance {
	const app = Fastify({
		routerOptions: { ignoreTrailingSlash: true },
		forceCloseConnections: true,
		ajv: { customOptions: { ...unchanged, allErrors: true } },
	});
	app.get('/healthz', () => ({ status: 'ok' }));
	for (const [name, type] of Object.entries(assets)) {
		const content = readFileSync(join(import.meta.dirname, 'pages', name), 'utf8');
		app.get(`/${name}`, (_call, reply) => reply.type(type).send(content));
	}
	return app;
}

/** A number from the command line, such as `--port 4010`; 0, any free port, by default. */
export function portGiven(name: string): number {
	const options = { [name]: { type: 'string', default: '0' } } as const;
	return Number(parseArgs({ options, strict: false }).values[name]);
}

/** Listens on 127.0.0.1 at the port given by `--port` until SIGTERM; resolves to the address. */
export async function serve(app: FastifyInstance): Promise<string> {
	// Before it listens, so that whoever learns the address can stop it at once.
	process.once('SIGTERM', () => void app.close().finally(() => process.exit(0)));
	return await app.listen({ port: portGiven('port'), host: '127.0.0.1' });
}
