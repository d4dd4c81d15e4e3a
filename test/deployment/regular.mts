import { mkdir } from 'node:fs/promises';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import type { Deployment } from './deployment.mts';
import { memberOf } from './member.mts';
import type { DeploymentOptions } from './start.mts';

/** n8n in one process, with SQLite. */
export async function startRegular({ folder, env, log }: DeploymentOptions): Promise<Deployment> {
	await ensureN8nInstalled(log);
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await installNodePackage({ userFolder: folder, log });
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	const options = { userFolder: folder, port, runnersBrokerPort, env, log: () => undefined };
	log('Starting n8n in one process.');
	const n8n = await startN8n(options);
	const url = `http://127.0.0.1:${port}`;
	const rest = createRest(url);
	await signIn(rest, folder);
	return {
		...{ mode: 'regular', url, rest, folder },
		members: [memberOf(n8n)],
		choose: () => Promise.resolve(n8n.name),
		stop: () => n8n.stop(),
	};
}
