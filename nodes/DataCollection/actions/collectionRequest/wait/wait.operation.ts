import type { IDataObject, INodeProperties } from 'n8n-workflow';
import * as n8n from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { cancelSignalOf, sleepUntil } from '../../../clock';
import { maximumAgeOption } from '../../../fields';
import { parametersOf } from '../../../parameters';
import type { ItemResult, Run } from '../../operation';
import { optionsField } from '../../fields';
import { refuseAlwaysOutputData, isInsideAgent, isTool } from '../../workflow';
import type { Awaited } from './awaited';
import { awaitedFields, readAwaited } from './awaited';
import { goalFields, numberOption, readNeeded, readStatuses } from './goal';
import { limitFields, waitTill } from './limit';
import type { Reading } from './reading';
import { doneItems, progressOf, readEach, throwFatal, timedOutItem } from './reading';
import { assertReported, mayBeReported } from './reported';
import { outputsOf, requestIdsOf } from './runData';
import { linked, sourceOf } from './source';
import type { Wait, WaitState } from './state';
import { storeState, watchedWait } from './state';

export const description: INodeProperties[] = [
	...awaitedFields,
	...goalFields,
	...limitFields,
	optionsField([maximumAgeOption, numberOption]),
];

/** Seconds for one attempt to read. */
const TIMEOUT_SECONDS = 30;

/** Milliseconds. If reading took longer, what was not there is read once more before the wait. */
const RECENT = 1_000;

/** Milliseconds between two looks in a manual execution, and for how long it looks. */
const LOOK_EVERY = 5_000;
const LOOK_FOR = 10 * 60_000;

/**
 * What the editor shows at the node while it waits. n8n evaluates it without items, and only for
 * parameters with fixed values.
 */
export const waitingTooltip = `={{ "Waiting until " + ($parameter.options?.numberToWaitFor ? $parameter.options.numberToWaitFor + " of the collection requests are " : "all collection requests are ") + ($parameter.waitFor === "statuses" ? [$parameter.waitForStatuses].flat().join(" or ") : $parameter.waitFor === "open" ? "open or completed" : "completed") + (!$parameter.limitWaitTime ? "" : $parameter.limitType === "atSpecifiedTime" ? ", at the latest until " + $parameter.maxDateAndTime : ", at most for " + $parameter.resumeAmount + " " + $parameter.resumeUnit) }}`;

/**
 * Waits until collection requests have an awaited status. Resolves to the items of Done, if that is so
 * already, and of Timed Out. Otherwise stores what is awaited with the execution, for the
 * notifications that {@link resume} handles, and what comes out if the limit ends the wait.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	const { context, connection, clock } = run;
	assertCanWait(run);
	const startedAt = clock.now();
	const statuses = readStatuses(run);
	const till = readLimit(run, startedAt);
	const maximumAge = parametersOf(context, 0).number(maximumAgeOption, 'options');
	const awaited = await readAwaited(run, statuses);
	const { requestIds } = awaited;
	const needed = readNeeded(run, requestIds.length);
	const wait: Wait = { requestIds, statuses, needed, reached: new Map() };

	const reading = await look(run, wait, till);
	if (progressOf(wait, reading).isOver) {
		return [await linked(run, awaited, await doneItems(readerOf(run), wait, reading)), []];
	}
	const timedOut = requestIds.map((id) => timedOutItem(connection, id));
	// An agent sees the first output of a tool only.
	if (till.getTime() <= clock.now()) {
		if (till.getTime() <= startedAt) assertFirstTime(run, requestIds);
		const results = await linked(run, awaited, timedOut);
		return isTool(run) ? [results] : [[], results];
	}
	if (till === WAIT_INDEFINITELY) assertReported(run, requestIds);
	const executionId = context.getExecutionId();
	const endsAt = till === WAIT_INDEFINITELY ? null : till.getTime();
	const state = { executionId, startedAt, endsAt, maximumAge, requestIds, statuses, needed };
	await suspend(run, awaited, { ...state, reached: [...wait.reached] }, timedOut);
	// Made anew: with an error output, n8n empties these arrays.
	return [[], []];
}

function assertCanWait(run: Run): void {
	refuseAlwaysOutputData(run, 'Done');
	if (!isInsideAgent(run.context)) return;
	const advice =
		'AI Agents before version 3 run their tools in their own process, and so does Execute Step on a tool. Use version 3 or newer of the AI Agent, or put Wait after the agent.';
	throw parametersOf(run.context, 0).wrong({
		message: 'A tool cannot wait inside the process of an AI Agent',
		advice,
	});
}

/** The end of the wait. Before n8n 2.39, what leaves a wait by the second output is lost. */
function readLimit(run: Run, now: number): Date {
	const till = waitTill(run, new Date(now));
	const hasTwoOutputs = 'N8N_NODES_API_VERSION' in n8n || isTool(run);
	if (till === WAIT_INDEFINITELY || hasTwoOutputs) return till;
	const advice =
		'Update n8n, or turn off Limit Wait Time: notifications then end the wait. In older versions of n8n, the items of Timed Out would be lost.';
	throw parametersOf(run.context, 0).wrong({
		message: 'Limit Wait Time needs n8n 2.39 or newer',
		advice,
	});
}

/** A loop of reminders whose time is over would remind people again and again, without a pause. */
function assertFirstTime(run: Run, requestIds: string[]): void {
	const runData = run.context.getWorkflowDataProxy(0);
	const timedOut = requestIdsOf(outputsOf(runData, run.context.getNode().name, 1).flat());
	if (!requestIds.some((id) => timedOut.includes(id))) return;
	const message = 'Max Date and Time is over, and the same collection requests timed out before';
	const advice =
		'For rounds of reminders, set Limit Type to After Time Interval. To give up at a fixed time, do not lead Timed Out back to this node.';
	throw parametersOf(run.context, 0).wrong({ message, advice });
}

const readerOf = (run: Run) => ({ ...run, options: { timeout: TIMEOUT_SECONDS } });

/**
 * Reads all collection requests. Until the wait is stored, n8n refuses notifications, so if reading
 * took a while, this looks once more at those that were not there. Throws what no wait can cure.
 */
async function look(run: Run, wait: Wait, till: Date): Promise<Reading> {
	const startedAt = run.clock.now();
	const first = await readEach(readerOf(run), wait, wait.requestIds);
	throwFatal(wait, first);
	if (progressOf(wait, first).isOver) return first;
	if (run.context.getMode() === 'manual') return await keepLooking(run, wait, first, till);
	return run.clock.now() - startedAt < RECENT ? first : await lookAgain(run, wait, first);
}

async function lookAgain(run: Run, wait: Wait, earlier: Reading): Promise<Reading> {
	const { pending } = progressOf(wait, earlier);
	const all = new Map([...earlier, ...(await readEach(readerOf(run), wait, pending))]);
	throwFatal(wait, all);
	return all;
}

/**
 * In a manual execution, Wait looks for itself: when somebody builds a workflow step by step, each
 * step is an execution of its own, and notifications go to the one in which Create ran.
 */
async function keepLooking(run: Run, wait: Wait, first: Reading, till: Date): Promise<Reading> {
	const { context, clock } = run;
	if (till === WAIT_INDEFINITELY && !mayBeReported(run)) assertReported(run, wait.requestIds);
	const end = Math.min(clock.now() + LOOK_FOR, till.getTime());
	let reading = first;
	while (!progressOf(wait, reading).isOver && clock.now() < end) {
		await sleepUntil(clock, Math.min(clock.now() + LOOK_EVERY, end), cancelSignalOf(context));
		reading = await lookAgain(run, wait, reading);
	}
	return reading;
}

/** Hands the execution over to n8n, which stores all that is set here. */
async function suspend(
	run: Run,
	awaited: Awaited,
	state: WaitState,
	timedOut: IDataObject[],
): Promise<void> {
	const { context } = run;
	const execution = context.getExecuteData();
	const items = timedOut.map((json, item) => ({ json, pairedItem: { item } }));
	if (isTool(run)) {
		execution.data.main = [items];
	} else {
		const isWhole = state.needed === state.requestIds.length;
		// Before the input is replaced: it says which items stand for what.
		execution.source = await sourceOf(run, awaited, isWhole);
		execution.data.main = [[], items];
		context.setMetadata({ forwardAllOutputs: true });
	}
	watchedWait(state, true);
	storeState(context, state);
	const { endsAt } = state;
	await context.putExecutionToWait(endsAt === null ? WAIT_INDEFINITELY : new Date(endsAt));
}
