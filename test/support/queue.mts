import { readFileSync } from 'node:fs';
import type { Part } from '../../sandbox/queueMode/queueMode.mts';
import { given } from './environment.mts';

export const queue = given('queue');

/** The same webhook on one process, bypassing the load balancer. */
export function at({ port }: Part, url: string): string {
	const direct = new URL(url);
	direct.port = String(port);
	return direct.href;
}

/** The names of the workers that have logged this. */
const workersThatLogged = (text: string) =>
	queue.workers
		.filter(({ logFile }) => readFileSync(logFile, 'utf8').includes(text))
		.map(({ name }) => name);

/** The names of the workers that have started the execution. */
export const startedBy = (executionId: string) =>
	workersThatLogged(`Worker started execution ${executionId} (`);

/** The names of the workers that have given the execution up, and can run another one. */
export const givenUpBy = (executionId: string) =>
	workersThatLogged(`Worker errored while running execution ${executionId} (`);
