import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialType } from '../../../sandbox/n8n/examples.mts';
import type { Credential } from '../../../sandbox/n8n/types.mts';
import type { Deployment, Member } from '../../../sandbox/testing/deployment.mts';
import { createReader, type Reader } from '../../../sandbox/testing/executions.mts';
import {
	startServiceBehindFront,
	type ServiceBehindFront,
} from '../../../sandbox/testing/serviceBehindFront.mts';
import { until } from '../../support/until.mts';

/** What every victim needs: a deployment, the service, and ways to inspect both. */
export interface Setup {
	deployment: Deployment;
	service: ServiceBehindFront;
	reader: Reader;
	credential: Credential;
	/** The webhook secret of the credential. */
	secret: string;
	/** Everything that a victim can kill; members that must start first come first. */
	members: Member[];
	/** The process to kill: of several of a kind, the one that runs the execution, or else the first. */
	choose(victim: string, executionId?: string): Promise<string>;
	close(): Promise<void>;
}

export async function openSetup(deployment: Deployment): Promise<Setup> {
	const { rest, url, folder } = deployment;
	const service = await startServiceBehindFront(folder);
	const secret = `whsec-${randomBytes(24).toString('base64url')}`;
	const fields = service.credentialFields(secret);
	return {
		...{ deployment, service, secret },
		reader: await createReader(rest, url),
		credential: await rest.createCredential('Crashes', credentialType, fields),
		members: [service.front, ...deployment.members],
		choose: async (victim, executionId) =>
			victim === service.front.name ? victim : await deployment.choose(victim, executionId),
		close: async () => {
			await deployment.stop();
			await service.stop();
		},
	};
}

/** Names a process as late as possible: only then is it known which one is busy. */
export type ChooseVictim = () => Promise<string>;

/** A crash that has happened. */
export interface Crash {
	/** Milliseconds since 1970. */
	at: number;
	victim: string;
	supervisor: Supervisor;
}

/** `kill -9`, now. */
export async function strike({ members }: Setup, chooseVictim: ChooseVictim): Promise<Crash> {
	const name = await chooseVictim();
	const member = members.find((candidate) => candidate.name === name);
	if (member?.pid() === undefined) throw new Error(`There is no process "${name}" to kill`);
	const at = Date.now();
	await member.kill();
	return { at, victim: name, supervisor: supervise(members) };
}

/** Milliseconds for all POSTs, however slow the machine is. */
const within = 400_000;
/** How many POSTs must hit the outage before it ends. */
const metOutage = 5;

/** Kills a process in the middle of `size` POSTs and waits for the end; `work` reports each POST. */
export async function strikeAmid<T>(
	setup: Setup,
	chooseVictim: ChooseVictim,
	{ workflowId, size }: { workflowId: string; size: number },
	work: (onPost: () => void) => Promise<T>,
) {
	const { reader, deployment } = setup;
	let ended = 0;
	const working = work(() => void (ended += 1));
	const reach = (count: number) => until(`${count} POSTs`, () => ended >= count, within);
	await reach(size / 3);
	const crash = await strike(setup, chooseVictim);
	await reach(ended + metOutage);
	const { victim, supervisor } = crash;
	const result = await supervisor.during(working);
	// n8n takes up to a minute to notice that a worker is gone; it notices no other loss.
	const patience = victim.startsWith('worker') ? 90_000 : 30_000;
	const underWay = await supervisor.during(reader.settle(workflowId, patience));
	const executions = await reader.all(workflowId);
	await deployment.rest.deactivate(workflowId);
	const restarted = supervisor.started.join(', ');
	const end = { POSTs: ended, 'left under way': underWay, restarted };
	return { crash, result, executions, end };
}

const look = 500;

/** Restarts what has ended, as a supervisor does: one crash may end other processes too. */
interface Supervisor {
	/** Everything that was restarted, in order. */
	started: string[];
	/** Starts what is not running; resolves when all of it is ready. */
	revive(): Promise<void>;
	/** Keeps reviving until `work` is done, and returns its result. */
	during<T>(work: Promise<T>): Promise<T>;
}

/** Supervises members; those that must start first come first. */
export function supervise(members: Member[]): Supervisor {
	const started: string[] = [];
	const revive = async () => {
		for (const member of members) {
			if (member.pid() !== undefined) continue;
			started.push(member.name);
			await member.start();
		}
	};
	return {
		started,
		revive,
		async during(work) {
			let isDone = false;
			const done = work.finally(() => {
				isDone = true;
			});
			const watch = async () => {
				while (!isDone) {
					await revive();
					await Promise.race([sleep(look, undefined, { ref: false }), done.catch(() => undefined)]);
				}
			};
			const [result] = await Promise.all([done, watch()]);
			await revive();
			return result;
		},
	};
}
