import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { startN8n, type RunningN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest, type N8nRest } from '../../sandbox/n8n/rest.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';

export interface BenchN8n {
	n8n: RunningN8n;
	/** As its owner. */
	rest: N8nRest;
	userFolder: string;
}

/** A fresh n8n with the package, on loopback; it ends with the benchmark. */
export async function startBenchN8n(env?: Record<string, string>): Promise<BenchN8n> {
	const userFolder = path.join(root, '.bench', 'n8n');
	await ensureN8nInstalled(console.log);
	await rm(userFolder, { recursive: true, force: true });
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	await installNodePackage({ userFolder, log: console.log });
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	const n8n = await startN8n({ userFolder, port, runnersBrokerPort, env, log: console.log });
	const rest = createRest(n8n.url);
	await signIn(rest, userFolder);
	return { n8n, rest, userFolder };
}
