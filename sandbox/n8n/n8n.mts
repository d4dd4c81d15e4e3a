import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { unlessCode } from '../shared/failure.mts';
import { n8nFolder, root, stateFolder } from '../shared/paths.mts';
import { baseEnv, startServer } from '../shared/server.mts';

interface N8nOptions {
	/** Contains `.n8n` (database, settings, community nodes) and `n8n.log`. */
	userFolder: string;
	/** Folder whose node_modules contain n8n and its Node; the sandbox's by default. */
	installation?: string;
	port: number;
	/** Port of n8n's own task broker; every n8n on a machine needs a different one. */
	runnersBrokerPort: number;
	/** Added to n8n's environment; overrides what is set here. */
	env?: Record<string, string>;
	/** `start`, the default, is a complete n8n, or the main process in queue mode. */
	command?: 'start' | 'worker' | 'webhook';
	/** Where people and webhooks reach it, if not at this process. */
	publicUrl?: string;
	/** The name in messages; `n8n` by default. */
	name?: string;
}

const exitWithParent = import.meta.resolve('../shared/exitWithParent.mts');

const settings = {
	// Quiet: n8n fetches, sends and shows nothing that nobody asked for.
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
	// Safe, and only for this machine.
	NODE_ENV: 'production',
	N8N_SECURE_COOKIE: 'false',
	N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
	N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
	N8N_HOST: '127.0.0.1',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
};

/**
 * Starts n8n on 127.0.0.1; `url` is the address of its editor and webhooks, without a trailing slash.
 * Throws a Failure with its last log lines if it is not ready in 5 minutes.
 */
export async function startN8n(options: N8nOptions) {
	const { userFolder, port, command = 'start', name = 'n8n' } = options;
	const url = `http://127.0.0.1:${port}`;
	const { installation = n8nFolder, publicUrl = url } = options;
	const modules = path.join(installation, 'node_modules');
	const isMain = command === 'start';
	if (isMain) await moveStaticCache(userFolder);
	const base = baseEnv();
	const temporary = path.join(userFolder, 'tmp');
	await mkdir(temporary, { recursive: true });
	const server = await startServer({
		name,
		command: path.join(modules, 'node', 'bin', 'node'),
		args: ['--import', exitWithParent, path.join(modules, 'n8n', 'bin', 'n8n'), command],
		cwd: userFolder,
		env: {
			...base,
			...settings,
			// n8n starts its task runner with the first `node` in PATH.
			PATH: `${path.join(modules, '.bin')}${path.delimiter}${base.PATH ?? ''}`,
			// Compiling its own code is most of what n8n does when it starts.
			NODE_COMPILE_CACHE: stateFolder('compile-cache'),
			N8N_USER_FOLDER: userFolder,
			// n8n leaves an empty folder in it.
			TMPDIR: temporary,
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(options.runnersBrokerPort),
			WEBHOOK_URL: `${publicUrl}/`,
			N8N_EDITOR_BASE_URL: `${publicUrl}/`,
			...options.env,
		},
		logFile: path.join(userFolder, 'n8n.log'),
		isReady: () => (isMain ? isServed(url) : isHealthy(url)),
	});
	return { ...server, url, port };
}

// One connection per call: n8n closes idle ones after 5 s, perhaps during the next call.
const get = (url: string) =>
	fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(5000) });

const isHealthy = async (url: string) => (await get(`${url}/healthz/readiness`)).ok;

/** Whether the n8n at this address serves its REST API; throws if nothing listens there. */
export async function isServed(url: string): Promise<boolean> {
	if (!(await isHealthy(url))) return false;
	// While it starts, n8n says so in a text.
	const { ok, headers } = await get(`${url}/rest/settings`);
	return ok && (headers.get('content-type') ?? '').includes('json');
}

/**
 * Links `.cache` of an n8n user folder into the root's node_modules. n8n copies its editor bundles
 * there. The strict lint, whose configuration may not be changed, reads the whole checkout except
 * node_modules: it would otherwise parse the bundles for minutes and then reject them.
 */
async function moveStaticCache(userFolder: string): Promise<void> {
	const target = path.join(root, 'node_modules', '.cache', 'n8n', path.basename(userFolder));
	await mkdir(target, { recursive: true });
	const cache = path.join(userFolder, '.cache');
	await symlink(target, cache, 'junction').catch(unlessCode('EEXIST'));
}
