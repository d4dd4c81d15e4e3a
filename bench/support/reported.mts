import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export type Reported = Awaited<ReturnType<typeof startReported>>;

type Fields = Record<string, unknown>;

/** A collection request as the service returns it, the n-th one, and where to report on it. */
function created(body: Fields, count: number) {
	const number = count.toString(16).padStart(8, '0');
	const _id = `65f0c1a2b3c4d5e6${number}`;
	const fields: Fields = {
		_id,
		account_id: '65f0c1a2b3c4d5e6f7a8b9c0',
		title: `Form of ${String(body.templateId)}`,
		...body,
		webhookUrl: undefined,
		webhookSecret: undefined,
		shareStatus: 'open',
		createTime: new Date().toISOString(),
		shareId: `65f0c1a2b3c4d5e7${number}`,
	};
	return { _id, fields, webhookUrl: String(body.webhookUrl) };
}

/**
 * Starts a service that remembers where to report on each collection request; a read takes so many
 * milliseconds.
 */
export async function startReported(readTime: number) {
	const requests = new Map<string, ReturnType<typeof created>>();
	let reads = 0;
	const server = createServer((request, response) => {
		void (async () => {
			const isCreate = request.method === 'POST';
			let id = request.url?.split('/').at(-1) ?? '';
			if (isCreate) {
				const one = created((await json(request)) as Fields, requests.size);
				id = one._id;
				requests.set(id, one);
			} else {
				reads += 1;
				await sleep(readTime);
			}
			response.writeHead(isCreate ? 201 : 200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(requests.get(id)?.fields));
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		ids: () => [...requests.keys()],
		urlOf: (id: string) => requests.get(id)?.webhookUrl ?? '',
		complete(id: string) {
			const { fields = {} } = requests.get(id) ?? {};
			fields.shareStatus = 'completed';
		},
		/** The number of reads since the last call. */
		takeReads() {
			const taken = reads;
			reads = 0;
			return taken;
		},
		stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
}
