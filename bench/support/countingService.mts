import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export type CountingService = Awaited<ReturnType<typeof startCountingService>>;

interface Options {
	/** Milliseconds before each response. */
	delay: number;
	/** Creates a second; above this, 429 with Retry-After: 1. No limit by default. */
	limit?: number;
}

type Create = Record<string, unknown> & { webhookIdentifier: string };

/** Whether a request is the API's create, with the same fields whoever sends it. */
function isCreate({ method, url, headers }: IncomingMessage, body: Create): boolean {
	const isJson = headers['content-type']?.startsWith('application/json') ?? false;
	const isKnown = Boolean(headers.authorization?.startsWith('Bearer ') && headers.tokenid);
	const names = ['maximumParticipants', 'minimumParticipants', 'templateId', 'webhookIdentifier'];
	const hasFields = Object.keys(body).sort().join() === names.join();
	return method === 'POST' && url === '/di/collection-request/' && isJson && isKnown && hasFields;
}

/** Starts a service that responds to every create with an ID after a delay, and to nothing else. */
export async function startCountingService({ delay, limit = Infinity }: Options) {
	/** How often each webhook identifier was created; exactly once is the goal. */
	const created = new Map<string, number>();
	const counts = { refused: 0, underWay: 0, most: 0 };
	const perSecond = new Map<number, number>();

	const isOverLimit = () => {
		const second = Math.floor(Date.now() / 1000);
		perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
		return (perSecond.get(second) ?? 0) > limit;
	};

	const server = createServer((request, response) => {
		response.setHeader('content-type', 'application/json');
		void json(request).then((value) => {
			const body = value as Create;
			if (isOverLimit()) {
				counts.refused += 1;
				return void response.writeHead(429, { 'retry-after': '1' }).end('{"message":"slow down"}');
			}
			if (!isCreate(request, body)) {
				return void response.writeHead(400).end('{"message":"this is not the API\'s create"}');
			}
			created.set(body.webhookIdentifier, (created.get(body.webhookIdentifier) ?? 0) + 1);
			counts.underWay += 1;
			counts.most = Math.max(counts.most, counts.underWay);
			setTimeout(() => {
				counts.underWay -= 1;
				response.end(`{"_id":"id-${body.webhookIdentifier}"}`);
			}, delay);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** What has happened since the last call. */
		take: () => {
			const times = [...created.values()];
			const { refused, most: underWay } = counts;
			created.clear();
			Object.assign(counts, { refused: 0, most: 0 });
			const doubled = times.filter((count) => count > 1).length;
			return { created: times.length, doubled, refused, underWay };
		},
		stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
}
