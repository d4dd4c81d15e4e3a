import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../../../bench/deployment/deployment.mts';
import type { Bench } from './bench.mts';

/** The name of a process, chosen as late as possible: only then is known which one is busy. */
export type Fault = () => Promise<string>;

/** A crash that has happened. */
export interface Crash {
	/** Milliseconds since 1970. */
	at: number;
	victim: string;
	supervisor: Supervisor;
}

/** `kill -9`, now. */
export async function strike({ members }: Bench, fault: Fault): Promise<Crash> {
	const name = await fault();
	const member = members.find((candidate) => candidate.name === name);
	if (member?.pid() === undefined) throw new Error(`There is no process "${name}" to kill`);
	const at = Date.now();
	await member.kill();
	return { at, victim: name, supervisor: supervise(members) };
}

/** n8n takes up to a minute to notice that a worker is gone; its other losses it does not notice. */
export const patienceAfter = ({ victim }: Crash) => (victim.startsWith('worker') ? 90_000 : 30_000);

const look = 500;

/** Starts what has ended, as a supervisor does: one crash may end other processes as well. */
interface Supervisor {
	/** Everything that was started again, in order. */
	started: string[];
	/** Starts what does not run now; resolves when all of it is ready. */
	revive(): Promise<void>;
	/** Goes on reviving until `work` is done, and returns its result. */
	during<T>(work: Promise<T>): Promise<T>;
}

/** Watches over members; those that must run first come first. */
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
