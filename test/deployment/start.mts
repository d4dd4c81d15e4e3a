import { rm } from 'node:fs/promises';
import type { Log } from '../../sandbox/shared/failure.mts';
import type { Deployment, Mode } from './deployment.mts';
import { startQueue } from './queue.mts';
import { startRegular } from './regular.mts';

/**
 * For measuring. n8n removes old executions by default: it would do so in the middle, and what is
 * gone cannot be counted. Tens of thousands of small rows change nothing about the times.
 */
export const measured = { EXECUTIONS_DATA_PRUNE: 'false', DB_PING_TIMEOUT_MS: '60000' };

export interface DeploymentOptions {
	/** Emptied first. */
	folder: string;
	/** Added to the environment of every n8n process. */
	env?: Record<string, string>;
	log: Log;
}

const starts = { regular: startRegular, queue: startQueue };

/** Starts n8n afresh, with the package under test. */
export async function start(mode: Mode, options: DeploymentOptions): Promise<Deployment> {
	await rm(options.folder, { recursive: true, force: true });
	return await starts[mode](options);
}
