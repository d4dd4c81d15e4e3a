import type { Clock } from '../../../nodes/DataCollection/clock.ts';

interface Waiting {
	until: number;
	resolve: () => void;
}

/** Real milliseconds before a sleep ends, so that everything else under way can happen first. */
const BREATH = 15;

let inUse: Clock | undefined;

/** The virtual clock of the running test, undefined in one that does without. */
export const virtualClock = (): Clock | undefined => inUse;

/**
 * Puts the clock of the nodes in the test's hands, in milliseconds: sleeps take no real time, and an
 * attempt ends by its timeout only when the test advances the clock. Until the end of each test.
 */
export function useVirtualTime() {
	let time = 0;
	let waiting: Waiting[] = [];

	const reach = (moment: number) => {
		time = Math.max(time, moment);
		const due = waiting.filter(({ until }) => until <= time);
		waiting = waiting.filter(({ until }) => until > time);
		for (const { resolve } of due) resolve();
	};
	const wait = (until: number) => {
		const entry: Waiting = { until, resolve: () => {} };
		const over = new Promise<void>((resolve) => (entry.resolve = resolve));
		waiting.push(entry);
		return { entry, over };
	};

	const clock: Clock = {
		now: () => time,
		random: () => Math.random(),
		timeout: (milliseconds) => {
			const expiry = new AbortController();
			void wait(time + milliseconds).over.then(() => expiry.abort());
			return expiry.signal;
		},
		sleep: async (milliseconds) => {
			if (milliseconds === 0) return await new Promise((resolve) => setImmediate(resolve));
			const until = time + milliseconds;
			virtual.slept.push(milliseconds);
			await virtual.onSleep();
			const { entry, over } = wait(until);
			// Somebody may have let the time pass already, and another test may be running by then.
			setTimeout(() => waiting.includes(entry) && reach(until), BREATH);
			await over;
		},
	};
	const virtual = {
		...clock,
		/** Lets time pass; whoever waits for a time up to then goes on. */
		advance: (milliseconds: number) => reach(time + milliseconds),
		/** The sleeps asked for, in order; yielding, which asks for none, is not among them. */
		slept: [] as number[],
		/** Runs at the beginning of each sleep, e.g. to start a server. */
		onSleep: (): void | Promise<void> => {},
	};

	beforeEach(() => {
		time = Date.UTC(2030, 0, 1);
		waiting = [];
		virtual.slept = [];
		virtual.onSleep = () => {};
		inUse = virtual;
	});
	afterEach(() => {
		inUse = undefined;
	});
	return virtual;
}
