import path from 'node:path';
import type { Log } from '../shared/failure.mts';
import { n8nFolder } from '../shared/paths.mts';
import { startServer, type RunningServer } from '../shared/server.mts';
import { n8nEnvironment } from './environment.mts';
import { n8nNode } from './install.mts';
import { moveStaticCache } from './staticCache.mts';

export interface N8nOptions {
	/** Holds `.n8n` (database, settings, community nodes) and `n8n.log`. */
	userFolder: string;
	port: number;
	/** Port of n8n's own task broker; every n8n on a machine needs a different one. */
	runnersBrokerPort: number;
	/** Added to n8n's environment, or replacing what is set here. */
	env?: Record<string, string>;
	/** What it is: `start`, the default, is a whole n8n or queue mode's main. */
	command?: 'start' | 'worker' | 'webhook';
	/** Where people and webhooks reach it, when that is not this process itself. */
	publicUrl?: string;
	/** What messages call it; `n8n` unless given. */
	name?: string;
	/** Appends to its log instead of starting it afresh. */
	keepLog?: boolean;
	log: Log;
}

export interface RunningN8n extends RunningServer {
	/** Editor and webhook address, without a trailing slash. */
	url: string;
}

async function answersHealthy(url: string): Promise<boolean> {
	return (await fetch(`${url}/healthz/readiness`, { signal: AbortSignal.timeout(5000) })).ok;
}

async function servesEditor(url: string): Promise<boolean> {
	const settings = await fetch(`${url}/rest/settings`, { signal: AbortSignal.timeout(5000) });
	return settings.ok && (settings.headers.get('content-type') ?? '').includes('json');
}

/** Starts n8n on 127.0.0.1; a Failure with its last log lines when it is not up in 5 minutes. */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const { userFolder, port, command = 'start', name = 'n8n', keepLog, log } = options;
	const url = `http://127.0.0.1:${port}`;
	const isMain = command === 'start';
	if (isMain) {
		await moveStaticCache(userFolder);
		log('Starting n8n (its first start takes about half a minute).');
	}
	const server = await startServer({
		name,
		node: n8nNode,
		args: [path.join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n'), command],
		cwd: userFolder,
		env: n8nEnvironment({ publicUrl: url, ...options }),
		logFile: path.join(userFolder, 'n8n.log'),
		keepLog,
		isReady: async () => (await answersHealthy(url)) && (!isMain || (await servesEditor(url))),
		readyWithin: 300_000,
		stopWithin: 35_000,
	});
	return { ...server, url };
}
