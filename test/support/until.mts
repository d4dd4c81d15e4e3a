import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `probe` until it returns something, e.g. true: first after 50 ms, then less and less often,
 * as every look costs what is looked at processor time. Fails with `what` after a minute.
 */
export async function until<T>(
	what: string,
	probe: () => T | undefined | Promise<T | undefined>,
	within = 60_000,
): Promise<T> {
	const deadline = Date.now() + within;
	for (let pause = 50; ; pause = Math.min(pause * 1.4, 500)) {
		const found = await probe();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline) throw new Error(`Not within ${within / 1000} s: ${what}`);
		await sleep(pause);
	}
}
