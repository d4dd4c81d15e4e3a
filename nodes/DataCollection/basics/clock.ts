import { sleep } from 'n8n-workflow';

/** In milliseconds. Tests replace these functions. `sleep` is n8n's: its linter refuses setTimeout. */
export const clock = {
	/** Since 1970. */
	now: (): number => Date.now(),
	sleep,
	/** The same, to give up on what may come earlier: tests let a pause pass, but no time limit. */
	timeout: sleep,
	/** From 0 up to 1, for jitter. */
	random: (): number => Math.random(),
};

/** Until a time in milliseconds since 1970, or until the signal aborts. */
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
