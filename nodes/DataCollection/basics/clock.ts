import { sleep } from 'n8n-workflow';

/** Time, in milliseconds, and random numbers. Tests replace these functions. */
export const clock = {
	/** Milliseconds since 1970. */
	now: (): number => Date.now(),
	sleep,
	/** Resolves after this time, to give up on what may come earlier. To pause, use `sleep`. */
	timeout: sleep,
	/** A number from 0 up to 1, for jitter. */
	random: (): number => Math.random(),
};

/** Sleeps until a time, or until the signal aborts. */
export async function sleepUntil(time: number, signal?: AbortSignal): Promise<void> {
	if (clock.now() >= time || signal?.aborted) return;
	const over = new AbortController();
	const aborted = new Promise<void>((resolve) => {
		signal?.addEventListener('abort', () => resolve(), { signal: over.signal });
	});
	while (clock.now() < time && !signal?.aborted) {
		await Promise.race([clock.sleep(time - clock.now()), aborted]);
	}
	// Removes the listener: the signal may live much longer.
	over.abort();
}
