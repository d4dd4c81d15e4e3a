import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { cancelSignalOf } from '../../../api/attempt';
import { sleepUntil } from '../../../clock';
import type { Run } from '../../operation';
import { assertReported, canBeReported } from '../notify';
import type { Reader } from './reading';
import { isRefused, merge, progressOf, readEach, withRead } from './reading';
import type { Goal, Known, Reading } from './state';
import { idsOf } from './state';

/** Seconds for one attempt to read. */
const TIMEOUT_SECONDS = 30;

/** Milliseconds. If reading took longer, what was not reached is read once more before the wait. */
const RECENT = 1_000;

/** Milliseconds between two looks in a manual execution, and for how long it looks. */
const LOOK_EVERY = 5_000;
const LOOK_FOR = 10 * 60_000;

/** What has been read before a wait, for the goal of this wait. */
interface Look {
	goal: Goal;
	known: Known;
	reading: Reading;
}

/** Reads during an execution: errors name the input item. */
export const readerOf = (run: Run, { awaited }: Goal): Reader => ({
	...run,
	options: (id) => {
		const itemIndex = awaited.findIndex(({ requestId }) => requestId === id);
		return { timeout: TIMEOUT_SECONDS, itemIndex: Math.max(0, itemIndex) };
	},
});

/**
 * Reads all collection requests, in a manual execution again and again. Until the wait is stored, n8n
 * refuses notifications, so if reading took a while, this looks once more at those that were not
 * there. Throws what no wait can cure.
 */
export async function readFirst(run: Run, asked: Goal, known: Known, till: Date): Promise<Look> {
	const startedAt = run.clock.now();
	const reading = await readEach(readerOf(run, asked), idsOf(asked.awaited));
	throwFatal(asked, reading);
	const first = withOwnIds(asked, known, reading);
	if (progressOf(first.goal, known, first.reading).isOver) return first;
	if (run.context.getMode() === 'manual') return await keepLooking(run, first, till);
	return run.clock.now() - startedAt < RECENT ? first : await readAgain(run, first);
}

/** With the service's own IDs, as notifications have: they may differ from the input, e.g. in case. */
function withOwnIds(asked: Goal, known: Known, read: Reading): Look {
	const ownId = (id: string) => {
		const one = read.get(id);
		return one?.ok ? one.request._id : id;
	};
	const awaited = asked.awaited.map((one) => ({ ...one, requestId: ownId(one.requestId) }));
	const reading = new Map([...read].map(([id, one]) => [ownId(id), one]));
	return { goal: { ...asked, awaited }, known: withRead(known, reading), reading };
}

/** Reads those that may still get there. */
async function readAgain(run: Run, { goal, known, reading }: Look): Promise<Look> {
	const { pending } = progressOf(goal, known, reading);
	const later = await readEach(readerOf(run, goal), pending);
	const all = merge(reading, later);
	throwFatal(goal, all);
	return { goal, known: withRead(known, later), reading: all };
}

/**
 * In a manual execution, Wait looks for itself: when somebody builds a workflow step by step, each
 * step is an execution of its own, and notifications go to the one in which Create ran.
 */
async function keepLooking(run: Run, first: Look, till: Date): Promise<Look> {
	const { context, clock } = run;
	if (till === WAIT_INDEFINITELY && !canBeReported(run))
		assertReported(run, idsOf(first.goal.awaited));
	const end = Math.min(clock.now() + LOOK_FOR, till.getTime());
	let look = first;
	while (!progressOf(look.goal, look.known, look.reading).isOver && clock.now() < end) {
		await sleepUntil(clock, Math.min(clock.now() + LOOK_EVERY, end), cancelSignalOf(context));
		look = await readAgain(run, look);
	}
	return look;
}

/** Throws a failure that no wait can cure, or the first one if the service refuses all of them. */
function throwFatal({ awaited }: Goal, reading: Reading): void {
	const reads = idsOf(awaited).map((id) => reading.get(id));
	const fatal = reads.find((read) => read?.ok === false && read.failure === 'fatal');
	const final = fatal ?? (reads.every(isRefused) ? reads[0] : undefined);
	if (final?.ok === false) throw final.error as Error;
}
