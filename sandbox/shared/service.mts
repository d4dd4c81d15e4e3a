import path from 'node:path';
import { root } from './paths.mts';
import { baseEnv, startServer, type RunningServer } from './server.mts';

export interface ServiceOptions {
	port: number;
	/** More arguments for `sandbox/service/main.mts`. */
	args?: string[];
	logFile: string;
}

export interface RunningService extends RunningServer {
	/** API base URL and collect URL, without a trailing slash. */
	url: string;
}

/** What a fresh sandbox service accepts as API key and token ID. */
export const serviceCredential = { apiKey: 'sandbox-api-key', tokenId: 'sandbox-token-id' };

/** Starts the emulated service on 127.0.0.1; a Failure when it does not come up in 20 s. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
	const { port, args = [], logFile } = options;
	const url = `http://127.0.0.1:${port}`;
	const server = await startServer({
		name: 'The sandbox service',
		node: process.execPath,
		args: [path.join(root, 'sandbox', 'service', 'main.mts'), '--port', String(port), ...args],
		cwd: root,
		env: baseEnv(),
		logFile,
		isReady: async () => (await fetch(`${url}/healthz`)).ok,
		readyWithin: 20_000,
		stopWithin: 5_000,
	});
	return { ...server, url };
}
