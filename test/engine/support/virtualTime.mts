import { clock } from '../../../nodes/DataCollection/basics/clock.ts';

/** Real milliseconds before a sleep ends, so that pending work can finish first. */
const BREATH = 15;

/** HTTP dates and some expressions have no milliseconds. */
const wholeSecond = () => Math.ceil(Date.now() / 1000) * 1000;

interface Alarm {
	at: number;
	ring: () => void;
}

let time = wholeSecond();
let alarms = new Set<Alarm>();

function reach(moment: number): void {
	time = Math.max(time, moment);
	for (const alarm of alarms) {
		if (alarm.at <= time && alarms.delete(alarm)) alarm.ring();
	}
}

/** Ends when the clock is advanced so far, or after some real milliseconds. */
async function pass(milliseconds: number, breath?: number): Promise<void> {
	if (milliseconds === 0) return await new Promise((resolve) => setImmediate(resolve));
	const { promise, resolve } = Promise.withResolvers<void>();
	const alarm = { at: time + milliseconds, ring: resolve };
	alarms.add(alarm);
	// The clock may have been advanced already, and another test may be running by then.
	if (breath !== undefined) setTimeout(() => alarms.has(alarm) && reach(alarm.at), breath);
	await promise;
}

async function sleep(milliseconds: number): Promise<void> {
	const until = time + milliseconds;
	if (milliseconds > 0) {
		virtual.slept.push(milliseconds);
		await virtual.onSleep();
	}
	await pass(Math.max(0, until - time), BREATH);
}

const virtual = {
	now: () => time,
	random: () => Math.random(),
	timeout: async (milliseconds: number) => await pass(milliseconds),
	sleep,
	/** Advances the clock; sleeps and timeouts that end by then resolve. */
	advance: (milliseconds: number) => reach(time + milliseconds),
	/** The requested sleeps, in order; yielding (a sleep of 0) is not among them. */
	slept: [] as number[],
	/** Runs at the beginning of each sleep, e.g. to start a server. */
	onSleep: (): void | Promise<void> => {},
} satisfies typeof clock & Record<string, unknown>;

beforeEach(() => {
	Object.assign(clock, virtual);
	time = wholeSecond();
	alarms = new Set();
	virtual.slept = [];
	virtual.onSleep = () => {};
});

/**
 * The nodes' clock in these tests, in milliseconds, which begins with each test: sleeps take no real
 * time, and a timeout ends only when the test advances the clock, or a sleep does.
 */
export const useVirtualTime = () => virtual;
