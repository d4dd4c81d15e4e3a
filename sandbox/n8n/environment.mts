import path from 'node:path';
import { n8nFolder } from '../shared/paths.mts';
import { baseEnv } from '../shared/server.mts';

export interface EnvironmentOptions {
	/** Holds `.n8n` (database, settings, community nodes). */
	userFolder: string;
	port: number;
	/** Port of n8n's own task broker; every n8n on a machine needs a different one. */
	runnersBrokerPort: number;
	/** Where people and webhooks reach n8n, without a trailing slash. */
	publicUrl: string;
	/** Added to n8n's environment, or replacing what is set here. */
	env?: Record<string, string>;
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

/** The variables of an n8n that listens on loopback only and calls nobody by itself. */
export function n8nEnvironment(options: EnvironmentOptions): Record<string, string> {
	const { userFolder, port, runnersBrokerPort, publicUrl, env } = options;
	const bin = path.join(n8nFolder, 'node_modules', '.bin');
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
		WEBHOOK_URL: `${publicUrl}/`,
		N8N_EDITOR_BASE_URL: `${publicUrl}/`,
		...env,
	};
}
