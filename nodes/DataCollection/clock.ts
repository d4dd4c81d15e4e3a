import { sleep } from 'n8n-workflow';

/** Time and chance for whatever waits, handed on so that tests can bring their own; milliseconds. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	/** Aborts after the time. Its timer goes with it once nobody listens to it any more. */
	timeout(milliseconds: number): AbortSignal;
	/** From 0 up to 1, for jitter. */
	random(): number;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	sleep,
	timeout: (milliseconds) => AbortSignal.timeout(Math.max(0, milliseconds)),
	random: () => Math.random(),
};

/** Sleeps until the time, or until the signal ends the sleep early. */
export async function sleepUntil(clock: Clock, time: number, signal?: AbortSignal): Promise<void> {
	if (clock.now() >= time || signal?.aborted) return;
	let stop = () => {};
	const aborted = new Promise<void>((resolve) => (stop = resolve));
	signal?.addEventListener('abort', stop);
	while (clock.now() < time && !signal?.aborted) {
		await Promise.race([clock.sleep(time - clock.now()), aborted]);
	}
	signal?.removeEventListener('abort', stop);
}
