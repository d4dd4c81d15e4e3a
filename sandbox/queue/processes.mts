import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { startN8n } from '../n8n/n8n.mts';
import type { Log } from '../shared/failure.mts';
import { workerEnvironment } from './environment.mts';
import { startPart, type Part } from './part.mts';

export interface ProcessOptions {
	/** Main's user folder; those of the other processes are in it. */
	userFolder: string;
	/** Where everybody comes in. */
	publicUrl: string;
	/** The same in every process. */
	env: Record<string, string>;
	nextPort: () => number;
	log: Log;
}

const nodes = path.join('.n8n', 'nodes');

/** Starts the process that has the editor and prepares the database for all. */
export async function startMain({ nextPort, ...shared }: ProcessOptions): Promise<Part> {
	const place = { port: nextPort(), runnersBrokerPort: nextPort() };
	return await startPart('main', place.port, (keepLog) =>
		startN8n({ ...shared, ...place, name: "n8n's main", keepLog }),
	);
}

/** Starts a process with the package in a folder of its own, as on a machine of its own. */
async function startOther(kind: 'worker' | 'webhook', name: string, options: ProcessOptions) {
	const { nextPort, ...shared } = options;
	const place = { port: nextPort(), runnersBrokerPort: nextPort() };
	const userFolder = path.join(shared.userFolder, name);
	await rm(path.join(userFolder, nodes), { recursive: true, force: true });
	await cp(path.join(shared.userFolder, nodes), path.join(userFolder, nodes), { recursive: true });
	const health = kind === 'worker' ? workerEnvironment(place.port) : {};
	const own = { ...place, userFolder, env: { ...health, ...shared.env }, command: kind };
	return await startPart(name, place.port, (keepLog) =>
		startN8n({ ...shared, ...own, name: `n8n's ${name}`, keepLog }),
	);
}

/** Starts so many workers or webhook processes, once main is up. */
export async function startOthers(
	kind: 'worker' | 'webhook',
	count: number,
	options: ProcessOptions,
): Promise<Part[]> {
	const names = Array.from({ length: count }, (_, index) => `${kind}-${index + 1}`);
	return await Promise.all(names.map((name) => startOther(kind, name, options)));
}
