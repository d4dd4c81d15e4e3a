import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen, type Listener } from '../support/listener.mts';
import { startService, type Service } from '../support/service.mts';
import { until } from '../support/until.mts';

/** The authentication that a fresh service accepts. */
const authentication = { authorization: 'Bearer sandbox-api-key', tokenId: 'sandbox-token-id' };

export const WEBHOOK_SECRET = 'whsec-of-the-sandbox-tests';

export type Json = Record<string, unknown>;

/** The emulated service while the tests of a file run, and the calls they make. */
export function useService() {
	const running = {} as Service;
	beforeAll(async () => void Object.assign(running, await startService()));
	afterAll(() => running.stop());

	const ask = (path: string, init?: RequestInit) => fetch(`${running.url}${path}`, init);
	/** Sends JSON with the keys of the API. */
	const send = (method: string, path: string, body: unknown) =>
		ask(path, {
			method,
			headers: { ...authentication, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	const create = (body: Json) => send('POST', '/di/collection-request/', body);
	const read = (path: string) => ask(`/di/${path}`, { headers: authentication });
	const jsonOf = async (path: string) => (await (await read(path)).json()) as Json;
	return {
		ask,
		send,
		create,
		read,
		/** Creates a collection request with a template; resolves to its ID. */
		newRequest: async (body: Json = {}) => {
			const created = await create({ templateId: 'delivery', ...body });
			return String(((await created.json()) as Json)._id);
		},
		requestOf: (id: string) => jsonOf(`collection-request/${id}`),
		shareOf: (id: unknown) => jsonOf(`share/${String(id)}`),
		/** Submits the form of the guest page, as a browser without JavaScript does. */
		submit: (id: string, fields: Record<string, string>) =>
			ask(`/request/${id}`, { method: 'POST', body: new URLSearchParams(fields) }),
	};
}

export interface Received {
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** A receiver of notifications while the tests of a file run. */
export function useReceiver() {
	const received: Received[] = [];
	let receiver: Listener;
	beforeAll(async () => {
		receiver = await listen(async (request, response) => {
			received.push({ headers: request.headers, body: await buffer(request) });
			response.end();
		});
	});
	afterAll(() => receiver.close());
	return {
		/** The webhook fields with which a collection request is created to notify the receiver. */
		webhook: () => ({ webhookUrl: `${receiver.url}/hook`, webhookSecret: WEBHOOK_SECRET }),
		/** Resolves to the first `count` notifications as soon as they have arrived. */
		take: (count: number) =>
			until(`${count} notifications`, () =>
				received.length < count ? undefined : received.slice(0, count),
			),
	};
}
