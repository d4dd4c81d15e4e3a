import { startOwnServer, type RunningServer } from './server.mts';

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

/** Starts the emulated service on 127.0.0.1. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
	const own = { name: 'The sandbox service', program: 'service/main.mts', args: [] };
	return await startOwnServer({ ...own, ...options });
}
