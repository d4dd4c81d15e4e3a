import path from 'node:path';
import { root } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { baseEnv, startServer } from '../../sandbox/shared/server.mts';
import { serviceCredential, startService } from '../../sandbox/shared/service.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import type { Member } from './deployment.mts';
import { memberOf } from './member.mts';

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

const forward = path.join(root, 'test', 'deployment', 'forward.mts');

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
