import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `probe` until it returns something, e.g. true; fails with `what` after a minute. */
export async function until<T>(
	what: string,
	probe: () => T | undefined | Promise<T | undefined>,
	within = 60_000,
): Promise<T> {
	const deadline = Date.now() + within;
	for (;;) {
		const found = await probe();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline) throw new Error(`Not within ${within / 1000} s: ${what}`);
		await sleep(25);
	}
}
