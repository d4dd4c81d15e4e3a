import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../../../bench/deployment/deployment.mts';

const look = 500;

/** Starts what has ended, as a supervisor does: one crash may end other processes as well. */
export interface Supervisor {
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
