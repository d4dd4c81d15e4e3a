import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';

/** Runs a benchmark; two at a time would measure each other. */
export async function runBench(main: () => Promise<number>): Promise<void> {
	await runCommand(async () => {
		if (await holdLock('bench')) return await main();
		throw new Failure('A benchmark of this checkout is running already: wait for it.');
	}, 130);
}
