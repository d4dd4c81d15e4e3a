import { readFileSync } from 'node:fs';
import { given } from '../../support/environment.mts';
import type { Action, PartFacts } from './control.mts';

const control = given('control');

/** The processes whose names begin with this, for example the two of `webhook`. */
export async function partsOf(kind: string): Promise<PartFacts[]> {
	const all = (await (await fetch(control)).json()) as PartFacts[];
	return all.filter(({ name }) => name.startsWith(kind));
}

/** Performs the action on several processes at the same time. */
export async function toAll(action: Action, names: string[]): Promise<void> {
	const asked = names.map((name) => fetch(`${control}/${name}/${action}`, { method: 'POST' }));
	for (const response of await Promise.all(asked)) {
		expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
	}
}

/** The same webhook on one process, bypassing the load balancer. */
export function at({ port }: PartFacts, url: string): string {
	const direct = new URL(url);
	direct.port = String(port);
	return direct.href;
}

/** The names of the workers that have logged this. */
async function workersThatLogged(text: string): Promise<string[]> {
	const workers = await partsOf('worker');
	const found = workers.filter(({ logFile }) => readFileSync(logFile, 'utf8').includes(text));
	return found.map(({ name }) => name);
}

/** The names of the workers that have started the execution. */
export const startedBy = (executionId: string) =>
	workersThatLogged(`Worker started execution ${executionId} (`);

/** The names of the workers that have given the execution up, and can run another one. */
export const givenUpBy = (executionId: string) =>
	workersThatLogged(`Worker errored while running execution ${executionId} (`);
