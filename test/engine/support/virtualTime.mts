import type { Clock } from '../../../nodes/DataCollection/clock.ts';

interface Waiting {
	until: number;
	resolve: () => void;
}

/**
 * A wait sleeps this long before it responds to a notification, and before it looks once more. Such
 * a sleep ends only when the test advances the clock.
 */
const OF_A_WAIT = [4_000, 10_000];

/** Real milliseconds before a sleep ends, so that pending work can finish first. */
const BREATH = 15;

/** A clock that the test advances, in milliseconds; sleeps that end by then resolve. */
interface VirtualClock extends Clock {
	advance(milliseconds: number): void;
}

let inUse: VirtualClock | undefined;

/** The virtual clock of the running test; undefined if it uses none. */
export const virtualClock = (): VirtualClock | undefined => inUse;

/**
 * Lets the test control the nodes' clock, in milliseconds: sleeps take no real time, and an
 * attempt times out only when the test advances the clock. Lasts until the end of each test.
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
		timeout: async (milliseconds) => await wait(time + milliseconds).over,
		sleep: async (milliseconds) => {
			if (milliseconds === 0) return await new Promise((resolve) => setImmediate(resolve));
			const until = time + milliseconds;
			virtual.slept.push(milliseconds);
			await virtual.onSleep();
			const { entry, over } = wait(until);
			// The clock may have been advanced already, and another test may be running by then.
			if (!OF_A_WAIT.includes(milliseconds)) {
				setTimeout(() => waiting.includes(entry) && reach(until), BREATH);
			}
			await over;
		},
	};
	const virtual = {
		...clock,
		/** Advances the clock; sleeps that end by then resolve. */
		advance: (milliseconds: number) => reach(time + milliseconds),
		/** The requested sleeps, in order; yielding (a sleep of 0) is not among them. */
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
