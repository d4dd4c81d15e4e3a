import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { startN8n, type RunningN8n } from '../../sandbox/n8n/n8n.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest, type N8nRest } from '../../sandbox/n8n/rest.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { userFolder } from './environment.mts';

/** An n8n of the test file's own, which it may crash and start anew. */
export interface OwnN8n {
	/** Stays the same over restarts. */
	url: string;
	/** As its owner; the session outlives a restart. */
	rest: N8nRest;
	/** Its user folder. */
	folder: string;
	/** Ends it as a crash does. */
	kill(): Promise<void>;
	stop(): Promise<void>;
	/** Starts it on the same folder and port, with these variables in place of the former ones. */
	start(env?: Record<string, string>): Promise<void>;
}

/** Starts an n8n with the package under test in a folder of its own, `name`. */
export async function startOwnN8n(name: string, env?: Record<string, string>): Promise<OwnN8n> {
	const folder = path.join(userFolder, name);
	const nodes = path.join('.n8n', 'nodes');
	// From an earlier run, when n8n is kept between runs.
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { mode: 0o700 });
	await cp(path.join(userFolder, nodes), path.join(folder, nodes), { recursive: true });
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	let running: RunningN8n;
	const start = async (variables?: Record<string, string>) => {
		const options = { userFolder: folder, port, runnersBrokerPort, env: variables };
		running = await startN8n({ ...options, log: () => undefined });
	};
	await start(env);
	const url = `http://127.0.0.1:${port}`;
	const rest = createRest(url);
	await signIn(rest, folder);
	return { url, rest, folder, start, kill: () => running.kill(), stop: () => running.stop() };
}
