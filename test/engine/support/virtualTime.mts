import type { Clock } from '../../../nodes/DataCollection/clock.ts';

interface Waiting {
	until: number;
	resolve: () => void;
}

/** Real milliseconds before a sleep ends, so that pending work can finish first. */
const BREATH = 15;

/** HTTP dates and some expressions have no milliseconds. */
const wholeSecond = () => Math.ceil(Date.now() / 1000) * 1000;

let time = wholeSecond();
let waiting: Waiting[] = [];

function reach(moment: number): void {
	time = Math.max(time, moment);
	const due = waiting.filter(({ until }) => until <= time);
	waiting = waiting.filter(({ until }) => until > time);
	for (const { resolve } of due) resolve();
}

function wait(until: number) {
	const entry: Waiting = { until, resolve: () => {} };
	const over = new Promise<void>((resolve) => (entry.resolve = resolve));
	waiting.push(entry);
	return { entry, over };
}

const yielding = async () => await new Promise<void>((resolve) => setImmediate(resolve));

async function timeout(milliseconds: number): Promise<void> {
	await (milliseconds === 0 ? yielding() : wait(time + milliseconds).over);
}

async function sleep(milliseconds: number): Promise<void> {
	if (milliseconds === 0) return await yielding();
	const until = time + milliseconds;
	virtual.slept.push(milliseconds);
	await virtual.onSleep();
	const { entry, over } = wait(until);
	// The clock may have been advanced already, and another test may be running by then.
	setTimeout(() => waiting.includes(entry) && reach(until), BREATH);
	await over;
}

const virtual = {
	now: () => time,
	random: () => Math.random(),
	timeout,
	sleep,
	/** Advances the clock; sleeps that end by then resolve. */
	advance: (milliseconds: number) => reach(time + milliseconds),
	/** The requested sleeps, in order; yielding (a sleep of 0) is not among them. */
	slept: [] as number[],
	/** Runs at the beginning of each sleep, e.g. to start a server. */
	onSleep: (): void | Promise<void> => {},
} satisfies Clock & Record<string, unknown>;

beforeEach(() => {
	time = wholeSecond();
	waiting = [];
	virtual.slept = [];
	virtual.onSleep = () => {};
});

/**
 * The nodes' clock in these tests, in milliseconds, which begins with each test: sleeps take no real
 * time, and a timeout ends only when the test advances the clock, or a sleep does.
 */
export const useVirtualTime = () => virtual;
