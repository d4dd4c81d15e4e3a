import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.mts';

/**
 * Calls `probe` until it returns something, e.g. true: first after 50 ms, then less and less often,
 * as every look costs what is looked at processor time. A Failure says `what` if that takes longer than
 * `within` milliseconds.
 */
export async function until<T>(
	what: string,
	probe: () => T | undefined | Promise<T | undefined>,
	within = 60_000,
): Promise<NonNullable<T>> {
	const deadline = Date.now() + within;
	for (let pause = 50; ; pause = Math.min(pause * 1.4, 500)) {
		const found = await probe();
		if (found !== undefined && found !== false) return found as NonNullable<T>;
		if (Date.now() > deadline) throw new Failure(`Not within ${within / 1000} s: ${what}`);
		await sleep(pause);
	}
}
