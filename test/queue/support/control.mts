import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Part } from '../../../sandbox/queue/queueMode.mts';

/** What a test file may know of a process. */
export type PartFacts = Pick<Part, 'name' | 'port' | 'pid' | 'logFile'>;

export type Action = 'kill' | 'start';

const factsOf = ({ name, port, pid, logFile }: Part): PartFacts => ({ name, port, pid, logFile });

async function act(parts: Part[], url: string): Promise<PartFacts[] | undefined> {
	const [, action = '', name = ''] = url.split('/');
	if (action === 'parts') return parts.map(factsOf);
	const part = parts.find((candidate) => candidate.name === name);
	if (part === undefined || (action !== 'kill' && action !== 'start')) return undefined;
	await part[action]();
	return [factsOf(part)];
}

function answer(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Lets the test files, which run in processes of their own, end and start the parts. */
export async function serveControl(parts: Part[]): Promise<string> {
	const server = createServer((request, response) => {
		act(parts, request.url ?? '').then(
			(facts) => answer(response, facts === undefined ? 404 : 200, facts ?? null),
			(error: unknown) => answer(response, 500, String(error)),
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.unref();
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
