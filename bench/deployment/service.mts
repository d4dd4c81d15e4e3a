import path from 'node:path';
import type { Json } from '../../sandbox/n8n/types.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { poll } from '../../sandbox/shared/poll.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { baseEnv, startServer } from '../../sandbox/shared/server.mts';
import { serviceCredential, startService } from '../../sandbox/shared/service.mts';
import { memberOf, type Member } from './deployment.mts';

/** The emulated service, and what n8n takes for it: a front that can be killed. */
export interface ServiceBehindFront {
	/** Of the service itself, where tests look and act. */
	url: string;
	/** Where n8n reaches it. The service keeps its requests in memory, so only its front dies. */
	front: Member & { url: string };
	/** Fields of a credential that reaches it through the front. */
	credentialFields(webhookSecret: string): Json;
	stop(): Promise<void>;
}

const forward = path.join(import.meta.dirname, 'forward.mts');

/** Starts both on 127.0.0.1, with their logs in the folder. */
export async function startServiceBehindFront(folder: string): Promise<ServiceBehindFront> {
	const [port = 0, frontPort = 0] = await freePorts(2);
	// The front passes on what it is sent as it is, its own address included.
	const args = ['--address', `127.0.0.1:${frontPort}`];
	const service = await startService({ port, args, logFile: path.join(folder, 'service.log') });
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

/** One POST of a notification as the service remembers it. */
export interface SentDelivery {
	id: string;
	shareStatus: string;
	/** null while no response has come, or when none came. */
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

/** What the service's own control offers. */
export interface Sandbox {
	/** Every request of a webhook identifier. */
	requests(identifier: string): Promise<KnownRequest[]>;
	request(id: string): Promise<KnownRequest>;
	/** Completes it as if everybody had submitted; its notification leaves on its own. */
	complete(id: string): Promise<void>;
	/** Sends a delivery again, as the very same bytes; resolves once it has ended. */
	redeliver(id: string): Promise<SentDelivery>;
	/** Milliseconds that every response of the API takes. */
	slowDown(apiDelayMs: number): Promise<void>;
}

/** The control of the service at its own address, past the front that dies. */
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
			const all = await ask<KnownRequest[]>('GET', '/requests');
			return all.filter(({ webhook }) => webhook?.identifier === identifier);
		},
		request: (id) => ask('GET', `/requests/${id}`),
		complete: (id) => ask('POST', `/requests/${id}/complete`, {}),
		redeliver: (id) => ask('POST', `/deliveries/${id}/redeliver`, { exact: true }),
		slowDown: (apiDelayMs) => ask('PUT', '/faults', { apiDelayMs }),
	};
}

/** Completes a request; resolves with the first notification about it once its POST has ended. */
export async function completeAndNotify(sandbox: Sandbox, id: string): Promise<SentDelivery> {
	await sandbox.complete(id);
	const hasEnded = ({ shareStatus, statusCode, error }: SentDelivery) =>
		shareStatus === 'completed' && (statusCode !== null || error !== null);
	return await poll({
		expected: `the notification about ${id} to end`,
		within: 60_000,
		pause: 25,
		read: async () => (await sandbox.request(id)).deliveries.find(hasEnded),
	});
}
