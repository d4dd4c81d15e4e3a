import { timing } from '../../nodes/DataCollection/context/timing';

/** A clock that only moves when somebody sleeps or the test says so; milliseconds. */
export interface VirtualTime {
	now(): number;
	/** Lets time pass; whoever waits for a time up to then goes on. */
	advance(milliseconds: number): void;
	/** The pauses asked for, in order. */
	slept: number[];
	/** Runs at the beginning of each pause, e.g. to start a server. */
	onSleep: (milliseconds: number) => void | Promise<void>;
}

interface Waiting {
	until: number;
	resolve: () => void;
}

/** Real milliseconds before a pause ends, so that everything else under way can happen first. */
const BREATH = 15;

/**
 * Puts the clock of the product's requests in the test's hands: pauses take no real time, and an
 * attempt ends by its timeout only when the test advances the clock. Restored after each test.
 */
export function useVirtualTime(): VirtualTime {
	const real = { ...timing };
	let time = 0;
	let waiting: Waiting[] = [];

	const reach = (moment: number) => {
		time = Math.max(time, moment);
		const due = waiting.filter(({ until }) => until <= time);
		waiting = waiting.filter(({ until }) => until > time);
		for (const { resolve } of due) resolve();
	};
	const wait = (until: number) => {
		let resolve = () => {};
		const over = new Promise<void>((done) => {
			resolve = done;
		});
		const entry: Waiting = { until, resolve };
		waiting.push(entry);
		return { entry, over };
	};

	const virtual: VirtualTime = {
		now: () => time,
		advance: (milliseconds) => reach(time + milliseconds),
		slept: [],
		onSleep: () => {},
	};

	beforeEach(() => {
		time = Date.UTC(2030, 0, 1);
		waiting = [];
		virtual.slept = [];
		virtual.onSleep = () => {};
		timing.now = () => time;
		timing.timeout = (milliseconds) => {
			const expiry = new AbortController();
			void wait(time + milliseconds).over.then(() => expiry.abort());
			return expiry.signal;
		};
		timing.sleep = async (milliseconds) => {
			const until = time + milliseconds;
			virtual.slept.push(milliseconds);
			await virtual.onSleep(milliseconds);
			const { entry, over } = wait(until);
			// Somebody may have let the time pass already, and another test may be running by then.
			setTimeout(() => waiting.includes(entry) && reach(until), BREATH);
			await over;
		};
	});
	afterEach(() => void Object.assign(timing, real));
	return virtual;
}
