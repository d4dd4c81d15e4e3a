import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export type BenchService = Awaited<ReturnType<typeof startService>>;

/**
 * Starts a service that creates everything, with the webhook identifier in the ID, and whose collection
 * requests are all completed; it responds after so many milliseconds.
 */
export async function startService(delay: number) {
	let created: unknown[] = [];
	const server = createServer((request, response) => {
		void (async () => {
			const isCreate = request.method === 'POST';
			const body = isCreate ? ((await json(request)) as Record<string, unknown>) : {};
			const { webhookIdentifier = created.length } = body;
			if (isCreate) created.push(webhookIdentifier);
			if (delay > 0) await sleep(delay);
			const id = isCreate ? `id-${String(webhookIdentifier)}` : request.url?.split('/').at(-1);
			response.writeHead(isCreate ? 201 : 200, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ _id: id, shareStatus: 'completed' }));
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** The webhook identifiers created since the last call. */
		take: () => {
			const taken = created;
			created = [];
			return taken;
		},
		stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
}
