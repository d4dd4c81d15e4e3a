import { sleep } from 'n8n-workflow';

import type { ApiContext } from './call';

/** The clock and the pauses of every request; tests put their own in place. Milliseconds. */
export const timing = {
	now: (): number => Date.now(),
	sleep,
	/** Lets n8n do what else has come up, such as sending and receiving. */
	breathe: async (): Promise<void> => await sleep(0),
	/** Aborts after the time. Its timer goes with it once nobody listens to it any more. */
	timeout: (milliseconds: number): AbortSignal => AbortSignal.timeout(Math.max(0, milliseconds)),
};

/** What aborts when the execution is cancelled; a webhook cannot be. */
export function cancelSignalOf(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Pauses until the time, or until the signal ends the pause early. */
export async function pauseUntil(time: number, signal: AbortSignal | undefined): Promise<void> {
	if (timing.now() >= time || signal?.aborted) return;
	let stop = () => {};
	const cancelled = new Promise<void>((resolve) => {
		stop = resolve;
	});
	signal?.addEventListener('abort', stop);
	while (timing.now() < time && !signal?.aborted) {
		await Promise.race([timing.sleep(time - timing.now()), cancelled]);
	}
	signal?.removeEventListener('abort', stop);
}
