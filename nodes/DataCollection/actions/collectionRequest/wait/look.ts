import { NodeApiError, WAIT_INDEFINITELY } from 'n8n-workflow';

import { cancelSignalOf } from '../../../api/attempt';
import { sleepUntil } from '../../../clock';
import type { Run } from '../../operation';
import { assertReported, canBeReported } from '../notify';
import type { Reader, Reading } from './reading';
import { isGone, merge, progressOf, readEach } from './reading';
import type { Goal, Known } from './state';
import { idsOf } from './state';

/** Seconds for one attempt to read. */
const TIMEOUT = 30;

/** Milliseconds. If reading took longer, what was not reached is read once more before the wait. */
const RECENT = 1_000;

/** Milliseconds between two looks in a manual execution, and for how long it looks. */
const LOOK_EVERY = 5_000;
const LOOK_FOR = 10 * 60_000;

interface Wait {
	goal: Goal;
	known: Known;
	/** When the time limit ends the wait. */
	till: Date;
}

/** Reads during an execution: errors name the input item. */
export const readerOf = ({ api, clock, connection }: Run, { awaited }: Goal): Reader => ({
	...{ api, clock, connection },
	options: (id) => {
		const itemIndex = awaited.findIndex(({ requestId }) => requestId === id);
		return { timeout: TIMEOUT, itemIndex: Math.max(0, itemIndex) };
	},
});

/**
 * Reads all collection requests, in a manual execution again and again. Until the wait is stored, n8n
 * refuses notifications, so if reading took a while, this looks once more at those that were not
 * there. The goal that it returns has the service's own IDs, as notifications do: they may differ
 * from those in the input, e.g. in case. Throws what no wait can cure.
 */
export async function lookBeforeWait(
	run: Run,
	reader: Reader,
	wait: Wait,
): Promise<{ goal: Goal; reading: Reading }> {
	const { known } = wait;
	const startedAt = run.clock.now();
	const first = await readEach(reader, idsOf(wait.goal.awaited), known);
	throwFinal(wait.goal, first);
	const ownId = (id: string) => first.found.get(id)?._id ?? id;
	const awaited = wait.goal.awaited.map((one) => ({ ...one, requestId: ownId(one.requestId) }));
	const goal = { ...wait.goal, awaited };
	const found = new Map([...first.found.values()].map((request) => [request._id, request]));
	const reading = { ...first, found };

	const { isOver, pending } = progressOf(goal, known, reading);
	if (isOver) return { goal, reading };
	if (run.context.getMode() === 'manual') {
		return { goal, reading: await keepLooking(run, reader, { ...wait, goal }, reading) };
	}
	if (run.clock.now() - startedAt < RECENT) return { goal, reading };
	return { goal, reading: merge(reading, await readEach(reader, pending, known)) };
}

/**
 * In a manual execution, Wait looks for itself: when somebody builds a workflow step by step, each
 * step is an execution of its own, and notifications go to the one in which Create ran.
 */
async function keepLooking(run: Run, reader: Reader, wait: Wait, first: Reading) {
	const { context, clock } = run;
	const { goal, known, till } = wait;
	if (till === WAIT_INDEFINITELY && !canBeReported(run)) assertReported(run);
	const end = Math.min(clock.now() + LOOK_FOR, till.getTime());
	let reading = first;
	let progress = progressOf(goal, known, reading);
	while (!progress.isOver && clock.now() < end) {
		await sleepUntil(clock, Math.min(clock.now() + LOOK_EVERY, end), cancelSignalOf(context));
		reading = merge(reading, await readEach(reader, progress.pending, known));
		throwFinal(goal, reading);
		progress = progressOf(goal, known, reading);
	}
	return reading;
}

/**
 * Throws a failure that no wait can cure: the execution was cancelled, the service refused the key,
 * or it refuses to return any of the collection requests.
 */
function throwFinal({ awaited }: Goal, { failures }: Reading): void {
	const errors = [...failures.values()];
	const isFinal = (error: unknown) =>
		!(error instanceof NodeApiError) ||
		(/^4(?!08|29)/.test(error.httpCode ?? '') && !isGone(error));
	const areAllGone = idsOf(awaited).every((id) => isGone(failures.get(id)));
	const final = errors.find(isFinal) ?? (areAllGone ? errors[0] : undefined);
	if (final !== undefined) throw final as Error;
}

/** Warns of collection requests that could not be read before the wait. */
export function tellFailures(run: Run, { awaited }: Goal, { failures }: Reading): void {
	const count = idsOf(awaited).length;
	const gone = [...failures.values()].filter(isGone).length;
	const unread = failures.size - gone;
	if (gone > 0) {
		const message = `The service does not return ${gone} of ${count} collection requests, so this wait does not wait for them. In the end, the field readError of their items says why.`;
		run.hint(message);
	}
	if (unread > 0) {
		const message = `${unread} of ${count} collection requests could not be read before the wait. If one of them already has a status that you are waiting for, only a time limit can end the wait.`;
		run.hint(message);
	}
}
