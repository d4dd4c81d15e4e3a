import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export type Reported = Awaited<ReturnType<typeof startReported>>;

/**
 * Starts a service that remembers where to report on each collection request; a read takes so many
 * milliseconds.
 */
export async function startReported(readTime: number) {
	const requests = new Map<string, { fields: Record<string, unknown>; webhookUrl: string }>();
	let reads = 0;
	const server = createServer((request, response) => {
		void (async () => {
			let body: Record<string, unknown>;
			if (request.method === 'POST') {
				const { webhookUrl, ...fields } = (await json(request)) as Record<string, unknown>;
				delete fields.webhookSecret;
				const _id = `65f0c1a2b3c4d5e6${requests.size.toString(16).padStart(8, '0')}`;
				const account_id = '65f0c1a2b3c4d5e6f7a8b9c0';
				body = {
					_id,
					account_id,
					title: `Form of ${String(fields.templateId)}`,
					...fields,
					shareStatus: 'open',
				};
				body.createTime = new Date().toISOString();
				body.shareId = `65f0c1a2b3c4d5e7${requests.size.toString(16).padStart(8, '0')}`;
				requests.set(_id, { fields: body, webhookUrl: String(webhookUrl) });
			} else {
				reads += 1;
				await sleep(readTime);
				body = requests.get(request.url?.split('/').at(-1) ?? '')?.fields ?? {};
			}
			response.writeHead(request.method === 'POST' ? 201 : 200, {
				'content-type': 'application/json',
			});
			response.end(JSON.stringify(body));
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		ids: () => [...requests.keys()],
		urlOf: (id: string) => requests.get(id)?.webhookUrl ?? '',
		complete: (id: string) =>
			Object.assign(requests.get(id)?.fields ?? {}, { shareStatus: 'completed' }),
		/** The number of reads since the last call. */
		takeReads: () => {
			const taken = reads;
			reads = 0;
			return taken;
		},
		stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
}
