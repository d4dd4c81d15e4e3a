import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that only counts requests. */
export interface CountingService {
	url: string;
	/** How often each webhook identifier was created; exactly once is the goal. */
	created: Map<string, number>;
	/** How many participants all of them have invited. */
	participants: () => number;
	/** How many requests were refused with 429. */
	refused: () => number;
	/** The largest number of creates under way at the same time. */
	underWay: () => number;
	reset(): void;
	stop(): Promise<void>;
}

interface Options {
	/** Milliseconds before each response. */
	delay: number;
	/** Creates a second; above this, 429 with Retry-After: 1. No limit by default. */
	limit?: number;
}

interface Create {
	templateId: string;
	minimumParticipants: number;
	maximumParticipants: number;
	webhookIdentifier: string;
	participantList?: unknown[];
}

/** Whether a request is the API's create, with the same fields whoever sends it. */
function isCreate({ method, url, headers }: IncomingMessage, body: Partial<Create>): boolean {
	const isJson = headers['content-type']?.startsWith('application/json') ?? false;
	const isKnown = Boolean(headers.authorization?.startsWith('Bearer ') && headers.tokenid);
	const names = ['maximumParticipants', 'minimumParticipants', 'templateId', 'webhookIdentifier'];
	const sent = Object.keys(body).filter((name) => name !== 'participantList');
	const hasFields = sent.sort().join() === names.join();
	return method === 'POST' && url === '/di/collection-request/' && isJson && isKnown && hasFields;
}

/** Starts a service that responds to every create with an ID after a delay, and to nothing else. */
export async function startCountingService({ delay, limit }: Options): Promise<CountingService> {
	const created = new Map<string, number>();
	let participants = 0;
	let refused = 0;
	let now = 0;
	let most = 0;
	let second = 0;
	let inSecond = 0;

	const isOverLimit = () => {
		const current = Math.floor(Date.now() / 1000);
		if (current !== second) [second, inSecond] = [current, 0];
		inSecond += 1;
		return limit !== undefined && inSecond > limit;
	};

	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			response.setHeader('content-type', 'application/json');
			if (isOverLimit()) {
				refused += 1;
				response.writeHead(429, { 'retry-after': '1' }).end('{"message":"slow down"}');
				return;
			}
			const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Create;
			if (!isCreate(request, body)) {
				response.writeHead(400).end('{"message":"this is not the create of the API"}');
				return;
			}
			participants += body.participantList?.length ?? 0;
			created.set(body.webhookIdentifier, (created.get(body.webhookIdentifier) ?? 0) + 1);
			now += 1;
			most = Math.max(most, now);
			setTimeout(() => {
				now -= 1;
				response.end(`{"_id":"id-${body.webhookIdentifier}"}`);
			}, delay);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		created,
		participants: () => participants,
		refused: () => refused,
		underWay: () => most,
		reset: () => {
			created.clear();
			participants = 0;
			refused = 0;
			most = 0;
		},
		stop: () => new Promise((resolve) => server.close(() => resolve())),
	};
}
