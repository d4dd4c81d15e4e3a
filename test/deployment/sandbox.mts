import type { Json } from '../../sandbox/n8n/types.mts';
import { until } from '../support/until.mts';

const patience = 30_000;

/** One POST of a notification as the service remembers it. */
export interface SentDelivery {
	id: string;
	shareStatus: string;
	/** null while no answer has come, or when none came. */
	statusCode: number | null;
	answer: string;
	error: string | null;
}

/** A request as the service knows it. */
export interface KnownRequest {
	request: Json & { _id: string };
	webhook: { url: string; identifier: string | null } | null;
	/** Newest first. */
	deliveries: SentDelivery[];
}

export interface Sandbox {
	/** Every request of a webhook identifier. */
	requests(identifier: string): Promise<KnownRequest[]>;
	request(id: string): Promise<KnownRequest>;
	/** Completes it as if everybody had submitted; its notification leaves on its own. */
	complete(id: string): Promise<void>;
	/** Sends a delivery again, as the very same bytes; answers once it has ended. */
	redeliver(id: string): Promise<SentDelivery>;
	/** Milliseconds that every answer of the API takes. */
	slowDown(apiDelayMs: number): Promise<void>;
}

/** What the service's own control offers, past the front that dies. */
export function sandboxAt(url: string): Sandbox {
	const ask = async <T,>(method: string, route: string, body?: Json): Promise<T> => {
		const response = await fetch(`${url}/sandbox${route}`, {
			method,
			headers: body === undefined ? {} : { 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(patience),
		});
		if (!response.ok) throw new Error(`${method} ${route}: ${response.status}`);
		return (await response.json()) as T;
	};
	return {
		requests: async (identifier) => {
			const all = await ask<KnownRequest[]>('GET', '/requests');
			return all.filter(({ webhook }) => webhook?.identifier === identifier);
		},
		request: (id) => ask('GET', `/requests/${id}`),
		complete: (id) => ask('POST', `/requests/${id}/complete`, {}),
		redeliver: (id) => ask('POST', `/deliveries/${id}/redeliver`, { exact: true }),
		slowDown: (apiDelayMs) => ask('PUT', '/faults', { apiDelayMs }),
	};
}

/** Completes a request; answers the first notification about it once its POST has ended. */
export async function completeAndNotify(sandbox: Sandbox, id: string): Promise<SentDelivery> {
	await sandbox.complete(id);
	return await until(`the notification about ${id} has ended`, async () => {
		const { deliveries } = await sandbox.request(id);
		return deliveries.find(
			({ shareStatus, statusCode, error }) =>
				shareStatus === 'completed' && (statusCode !== null || error !== null),
		);
	});
}
