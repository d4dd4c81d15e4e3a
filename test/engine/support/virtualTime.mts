import { performance } from 'node:perf_hooks';
import { clock } from '../../../nodes/DataCollection/basics/clock.ts';

/** HTTP dates and some expressions have no milliseconds. */
const wholeSecond = () => Math.ceil(Date.now() / 1000) * 1000;

/** Sleeps and timeouts that have not ended: when they do, and what that resolves. */
type Alarms = Map<() => void, number>;

let time = wholeSecond();
let sleeps: Alarms = new Map();
let timeouts: Alarms = new Map();

function reach(moment: number): void {
	time = Math.max(time, moment);
	for (const alarms of [sleeps, timeouts]) {
		for (const [ring, at] of alarms) if (at <= time && alarms.delete(ring)) ring();
	}
}

const until = async (at: number, alarms: Alarms) =>
	await new Promise<void>((resolve) => alarms.set(resolve, at));

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Resolves when all that goes on in this process waits: in several turns of the event loop, nothing
 * has been received. What is sent within the process arrives in the next turn.
 */
async function idle(): Promise<void> {
	let events = NaN;
	for (let turns = 0; turns < 5; turns += 1) {
		await turn();
		const { events: now } = performance.nodeTiming.uvMetricsInfo;
		if (now !== events) [events, turns] = [now, 0];
	}
}

let isEnding = false;

/** Ends the sleeps one after the other, each when nothing else can happen before. */
async function endSleeps(): Promise<void> {
	if (isEnding) return;
	isEnding = true;
	while (sleeps.size > 0) {
		await idle();
		if (sleeps.size > 0) reach(Math.min(...sleeps.values()));
	}
	isEnding = false;
}

async function sleep(milliseconds: number): Promise<void> {
	const end = time + milliseconds;
	if (milliseconds > 0) {
		virtual.slept.push(milliseconds);
		await virtual.onSleep();
	}
	if (end <= time) return await turn();
	const over = until(end, sleeps);
	void endSleeps();
	await over;
}

const virtual = {
	now: () => time,
	random: () => Math.random(),
	timeout: async (milliseconds: number) => await until(time + milliseconds, timeouts),
	sleep,
	idle,
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
	sleeps = new Map();
	timeouts = new Map();
	virtual.slept = [];
	virtual.onSleep = () => {};
});

/**
 * The nodes' clock in these tests, in milliseconds, which begins with each test. A sleep takes no real
 * time: it ends when all else waits, too. A timeout ends when a sleep or the test advances the clock.
 */
export const useVirtualTime = () => virtual;
