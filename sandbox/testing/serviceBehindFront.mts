import path from 'node:path';
import type { Json } from '../n8n/types.mts';
import { root } from '../shared/paths.mts';
import { poll } from '../shared/poll.mts';
import type { Delivery, RequestState } from '../service/types.mts';
import { freePorts } from '../shared/ports.mts';
import { baseEnv, startServer } from '../shared/server.mts';
import { serviceCredential, startService } from '../shared/service.mts';
import { memberOf, type Member } from './deployment.mts';

/** The emulated service behind a front that n8n takes for it and that can be killed. */
export interface ServiceBehindFront {
	/** The address of the service itself, for tests. */
	url: string;
	/** For n8n. The service keeps its collection requests in memory, so only the front dies. */
	front: Member & { url: string };
	/** Fields of a credential for the service's front. */
	credentialFields(webhookSecret: string): Json;
	stop(): Promise<void>;
}

const forward = path.join(import.meta.dirname, 'forward.mts');

/** Starts both on 127.0.0.1 with their logs in the folder. */
export async function startServiceBehindFront(folder: string): Promise<ServiceBehindFront> {
	const [port = 0, frontPort = 0] = await freePorts(2);
	const service = await startService({ port, logFile: path.join(folder, 'service.log') });
	const url = `http://127.0.0.1:${frontPort}`;
	const front = await startServer({
		name: 'service',
		node: process.execPath,
		args: [forward, String(frontPort), String(port)],
		cwd: root,
		env: baseEnv(),
		logFile: path.join(folder, 'front.log'),
		isReady: async () => (await fetch(`${url}/healthz`)).ok,
		readyWithin: 20_000,
	});
	return {
		url: service.url,
		front: { ...memberOf(front), url },
		credentialFields: (webhookSecret) => ({
			environment: 'production',
			productionBaseUrl: url,
			productionCollectUrl: url,
			stagingBaseUrl: '',
			stagingCollectUrl: '',
			...serviceCredential,
			webhookSecret,
			previousWebhookSecrets: '',
		}),
		stop: async () => void (await Promise.all([front.stop(), service.stop()])),
	};
}

/** What the service's control API offers. */
interface Sandbox {
	/** Every collection request with a webhook identifier. */
	requests(identifier: string): Promise<RequestState[]>;
	request(id: string): Promise<RequestState>;
	/** Completes it as if everybody had submitted; the service then sends its notification. */
	complete(id: string): Promise<void>;
	/** Sends a delivery again with exactly the same bytes; resolves once it has ended. */
	redeliver(id: string): Promise<Delivery>;
	/** Delays every API response by this many milliseconds. */
	slowDown(apiDelayMs: number): Promise<void>;
}

/** The service's control API at its own address, which bypasses the front. */
export function sandboxAt(url: string): Sandbox {
	const ask = async <T,>(method: string, route: string, body?: Json): Promise<T> => {
		const response = await fetch(`${url}/sandbox${route}`, {
			method,
			headers: body === undefined ? {} : { 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(30_000),
		});
		if (!response.ok) throw new Error(`${method} ${route}: ${response.status}`);
		return (await response.json()) as T;
	};
	return {
		requests: async (identifier) => {
			const all = await ask<RequestState[]>('GET', '/requests');
			return all.filter(({ webhook }) => webhook?.identifier === identifier);
		},
		request: (id) => ask('GET', `/requests/${id}`),
		complete: (id) => ask('POST', `/requests/${id}/complete`, {}),
		redeliver: (id) => ask('POST', `/deliveries/${id}/redeliver`, { exact: true }),
		slowDown: (apiDelayMs) => ask('PUT', '/faults', { apiDelayMs }),
	};
}

/** Completes a collection request; resolves to its first notification once that POST has ended. */
export async function completeAndNotify(sandbox: Sandbox, id: string): Promise<Delivery> {
	await sandbox.complete(id);
	const hasEnded = ({ shareStatus, statusCode, error }: Delivery) =>
		shareStatus === 'completed' && (statusCode !== null || error !== null);
	return await poll({
		expected: `the notification about ${id} to end`,
		within: 60_000,
		pause: 25,
		read: async () => (await sandbox.request(id)).deliveries.find(hasEnded),
	});
}
