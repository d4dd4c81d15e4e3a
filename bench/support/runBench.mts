import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';

/** Whether this is a trial: it shows in few and small runs that a benchmark works. */
export const isTrial = process.argv.includes('--trial');

/** How much a benchmark does, or a trial of it. */
export const amount = <T,>(full: T, trial: T): T => (isTrial ? trial : full);

/** Runs a benchmark; two at a time would measure each other. */
export async function runBench(main: () => Promise<number>): Promise<void> {
	await runCommand(async () => {
		if (await holdLock('bench')) return await main();
		throw new Failure('A benchmark of this checkout is running already: wait for it.');
	}, 130);
}
