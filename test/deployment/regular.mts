import { mkdir, rm } from 'node:fs/promises';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { signIn } from '../../sandbox/n8n/setup.mts';
import type { Log } from '../../sandbox/shared/failure.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import type { Deployment } from './deployment.mts';
import { startMember } from './member.mts';

export interface DeploymentOptions {
	/** Emptied first. */
	folder: string;
	/** Added to the environment of every n8n process. */
	env?: Record<string, string>;
	log: Log;
}

/** n8n in one process, with SQLite. */
export async function startRegular({ folder, env, log }: DeploymentOptions): Promise<Deployment> {
	await ensureN8nInstalled(log);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await installNodePackage({ userFolder: folder, log });
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	const silent = () => undefined;
	const options = { userFolder: folder, port, runnersBrokerPort, env, log: silent };
	log('Starting n8n in one process.');
	const n8n = await startMember('n8n', () => startN8n(options));
	const url = `http://127.0.0.1:${port}`;
	const rest = createRest(url);
	await signIn(rest);
	const choose = () => Promise.resolve(n8n.name);
	return { mode: 'regular', url, rest, members: [n8n], choose, folder, stop: n8n.stop };
}
