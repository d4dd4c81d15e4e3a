import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '../../sandbox/queueMode/queueMode.mts';
import { given } from './environment.mts';

export const queue = given('queue');

/** All processes, in the order in which they must be started. */
const parts = [queue.redis, queue.postgres, queue.main, ...queue.workers, ...queue.webhooks];

/** What can be killed, like a crash, and started again. */
export type Victim = Pick<Part, 'ended' | 'start' | 'kill'>;

const isDown = ({ ended }: Victim) => Promise.race([ended.then(() => true), nextTurn(false)]);

/** Restarts what is down, in this order, as a supervisor does: one crash may end others, too. */
export async function revive(victims: Victim[] = parts): Promise<void> {
	for (const victim of victims) if (await isDown(victim)) await victim.start();
}

/** Keeps reviving until `work` is done; resolves to its result once everything is running. */
export async function during<T>(work: Promise<T>, victims?: Victim[]): Promise<T> {
	let isDone = false;
	const end = () => void (isDone = true);
	work.then(end, end);
	while (!isDone) {
		await revive(victims);
		await Promise.race([sleep(500), work.catch(() => undefined)]);
	}
	await revive(victims);
	return await work;
}

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
