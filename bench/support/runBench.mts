import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';

/** Whether this is a trial: a few small runs that only show that a benchmark works. */
export const isTrial = process.argv.includes('--trial');

/** How much a benchmark does, in full or in a trial. */
export const amount = <T,>(full: T, trial: T): T => (isTrial ? trial : full);

/** Runs a benchmark, one at a time: two would affect each other's figures. */
export async function runBench(main: () => Promise<number>): Promise<void> {
	await runCommand(async () => {
		if (await holdLock('bench')) return await main();
		throw new Failure('A benchmark of this checkout is running already: wait for it.');
	}, 130);
}
