import path from 'node:path';
import type { Log } from '../shared/failure.mts';
import { n8nFolder } from '../shared/paths.mts';
import { baseEnv, startServer, type RunningServer } from '../shared/server.mts';
import { moveStaticCache } from './staticCache.mts';

export interface N8nOptions {
	/** Holds `.n8n` (database, settings, community nodes) and `n8n.log`. */
	userFolder: string;
	/** Folder whose node_modules hold n8n and its Node; the sandbox's own unless given. */
	installation?: string;
	port: number;
	/** Port of n8n's own task broker; every n8n on a machine needs a different one. */
	runnersBrokerPort: number;
	/** Added to n8n's environment, or replacing what is set here. */
	env?: Record<string, string>;
	log: Log;
}

export interface RunningN8n extends RunningServer {
	/** Editor and webhook address, without a trailing slash. */
	url: string;
}

const quiet = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
};

const safe = {
	NODE_ENV: 'production',
	N8N_SECURE_COOKIE: 'false',
	N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
	N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
};

function environment(options: N8nOptions, url: string): Record<string, string> {
	const { userFolder, port, runnersBrokerPort, env, installation = n8nFolder } = options;
	const bin = path.join(installation, 'node_modules', '.bin');
	const base = baseEnv();
	return {
		...base,
		...quiet,
		...safe,
		// n8n starts its task runner with the first `node` on the path.
		PATH: `${bin}${path.delimiter}${base.PATH ?? ''}`,
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(runnersBrokerPort),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		WEBHOOK_URL: `${url}/`,
		N8N_EDITOR_BASE_URL: `${url}/`,
		...env,
	};
}

async function isReady(url: string): Promise<boolean> {
	const signal = AbortSignal.timeout(5000);
	const health = await fetch(`${url}/healthz/readiness`, { signal });
	if (!health.ok) return false;
	const settings = await fetch(`${url}/rest/settings`, { signal });
	return settings.ok && (settings.headers.get('content-type') ?? '').includes('json');
}

/** Starts n8n on 127.0.0.1; a Failure with its last log lines when it is not up in 3 minutes. */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const { userFolder, port, log, installation = n8nFolder } = options;
	const modules = path.join(installation, 'node_modules');
	const url = `http://127.0.0.1:${port}`;
	await moveStaticCache(userFolder);
	log('Starting n8n (its first start takes about half a minute).');
	const server = await startServer({
		name: 'n8n',
		node: path.join(modules, 'node', 'bin', 'node'),
		args: [path.join(modules, 'n8n', 'bin', 'n8n'), 'start'],
		cwd: userFolder,
		env: environment(options, url),
		logFile: path.join(userFolder, 'n8n.log'),
		isReady: () => isReady(url),
		readyWithin: 180_000,
		stopWithin: 35_000,
	});
	return { ...server, url };
}
