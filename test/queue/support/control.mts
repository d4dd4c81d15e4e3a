import { fastify, type FastifyInstance } from 'fastify';
import type { Part } from '../../../sandbox/queueMode/queueMode.mts';

/** What a test file may know about a process. */
export type PartFacts = Pick<Part, 'name' | 'port' | 'logFile'>;

export type Action = 'kill' | 'start';

/** Lets the test files, which run in a separate process, kill and start the parts. */
export async function serveControl(parts: Part[]): Promise<FastifyInstance> {
	const server = fastify({ forceCloseConnections: true });
	server.get('/', () => parts.map(({ name, port, logFile }) => ({ name, port, logFile })));
	server.post<{ Params: { name: string; action: Action } }>(
		'/:name/:action',
		async ({ params: { name, action } }) => {
			const part = parts.find((candidate) => candidate.name === name);
			if (part === undefined) throw new Error(`There is no process "${name}"`);
			await part[action]();
			return {};
		},
	);
	await server.listen({ host: '127.0.0.1', port: 0 });
	return server;
}
