import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.mts';

/**
 * Calls `probe` until it returns something, e.g. true: every `pause` milliseconds, or else first after 50,
 * then less and less often, as every look costs what is looked at processor time. A Failure says `what`
 * if that takes longer than `within` milliseconds.
 */
export async function until<T>(
	what: string,
	probe: () => T | undefined | Promise<T | undefined>,
	within = 60_000,
	pause?: number,
): Promise<NonNullable<T>> {
	const deadline = Date.now() + within;
	for (let next = 50; ; next = Math.min(next * 1.4, 500)) {
		const found = await probe();
		if (found !== undefined && found !== false) return found as NonNullable<T>;
		if (Date.now() > deadline) throw new Failure(`Not within ${within / 1000} s: ${what}`);
		await sleep(pause ?? next);
	}
}
