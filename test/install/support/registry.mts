import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../../sandbox/shared/paths.mts';
import { baseEnv, startServer, type RunningServer } from '../../../sandbox/shared/server.mts';
import { registryProgram } from './registryInstall.mts';

export interface RegistryOptions {
	/** Holds the configuration and what is published; it has to be new. */
	folder: string;
	port: number;
	logFile: string;
}

export interface RunningRegistry extends RunningServer {
	/** Without a trailing slash. */
	url: string;
}

/** Without uplinks: whatever is asked for but ours is "not found", so nothing else can be needed. */
function configuration(folder: string): string {
	const everybody = { access: '$all', publish: '$all', unpublish: '$all' };
	return JSON.stringify({
		storage: path.join(folder, 'storage'),
		auth: { htpasswd: { file: path.join(folder, 'htpasswd'), max_users: -1 } },
		uplinks: {},
		packages: { '**': everybody },
		web: { enable: false },
		log: { type: 'stdout', format: 'json', level: 'http', colors: false },
	});
}

/** Starts an npm registry on 127.0.0.1 in which anybody may publish. */
export async function startRegistry(options: RegistryOptions): Promise<RunningRegistry> {
	const { folder, port, logFile } = options;
	const url = `http://127.0.0.1:${port}`;
	const config = path.join(folder, 'config.yaml');
	await mkdir(folder, { recursive: true });
	// JSON is YAML, too.
	await writeFile(config, configuration(folder));
	const server = await startServer({
		name: 'The registry',
		node: process.execPath,
		args: [registryProgram, '--config', config, '--listen', `127.0.0.1:${port}`],
		cwd: root,
		env: baseEnv(),
		logFile,
		isReady: async () => (await fetch(`${url}/-/ping`)).ok,
		readyWithin: 60_000,
		stopWithin: 5_000,
	});
	return { ...server, url };
}
