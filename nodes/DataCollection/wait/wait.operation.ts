import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { clock, sleepUntil } from '../basics/clock';
import { optionsField } from '../n8n/fields';
import { isTool, refuseAlwaysOutputData } from '../n8n/graph';
import { cancelSignalOf } from '../n8n/http';
import type { ItemResult } from '../n8n/items';
import { parametersOf } from '../n8n/parameters';
import { assertCanSuspend, NEVER, suspend, waitingTooltipOf } from '../n8n/suspension';
import { maximumAgeOption } from '../requests/commonFields';
import type { Run } from '../requests/run';
import { requestItem } from '../service/guestLink';
import { readGoal, goalFields, numberOption } from './awaited';
import { knownWait, type Reading, toStored, type Wait } from './known';
import { type MappedIds, pairedResults, pairingOf } from './pairing';
import { doneItems, getEach, progressOf, throwFatal } from './progress';
import { assertCanLook, assertReported } from './reportTarget';
import { hintIfOver, hintIfUnread, limitFields, readEnd } from './timeLimit';

export const description: INodeProperties[] = [
	...goalFields,
	...limitFields,
	optionsField([maximumAgeOption, numberOption]),
];

/** Milliseconds. If reading took longer, this reads once more what did not have an awaited status. */
const RECENT = 1_000;

/** Milliseconds between two looks in a manual execution, and for how long it looks. */
const LOOK_EVERY = 5_000;
const LOOK_FOR = 10 * 60_000;

/** What the editor shows at the node while it waits. */
export const waitingTooltip = waitingTooltipOf(
	`"Waiting until " + ($parameter.options?.numberToWaitFor ? $parameter.options.numberToWaitFor + " of the collection requests are " : "all collection requests are ") + ($parameter.waitFor === "statuses" ? [$parameter.waitForStatuses].flat().join(" or ") : $parameter.waitFor === "open" ? "open or completed" : "completed") + (!$parameter.limitWaitTime ? "" : $parameter.limitType === "atSpecifiedTime" ? ", at the latest until " + $parameter.maxDateAndTime : ", at most for " + $parameter.resumeAmount + " " + $parameter.resumeUnit)`,
);

/** What the editor shows before the node has run, and while it does. */
export const waitHints: NodeHint[] = [
	{
		message:
			'The service reports only to the execution in which Create has run. Step by step in the editor, this node looks for itself instead: every 5 seconds, for up to ten minutes.',
		displayCondition: '={{ $parameter["operation"] === "wait" }}',
		whenToDisplay: 'beforeExecution',
		location: 'outputPane',
	},
];

/**
 * Waits until collection requests have an awaited status. Resolves to the items of Done, if that is so
 * already, and of Timed Out. Otherwise stores what is awaited with the execution, for the
 * notifications that {@link resume} handles, and what is output if the limit ends the wait.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	const { context, connection } = run;
	refuseAlwaysOutputData(run, 'Done');
	assertCanSuspend(run);
	const startedAt = clock.now();
	const parameters = parametersOf(context, 0, run.hint);
	const endsAt = readEnd(run, parameters, startedAt);
	if (endsAt !== NEVER) hintIfUnread(run);
	const maximumAge = parameters.number(maximumAgeOption, 'options');
	const { mappedIds, ...goal } = await readGoal(run, parameters);
	// Before it looks: following links takes a while, and nothing is heard of until the wait is stored.
	const { requestIds, source } = await pairingOf(run, goal.requestIds, mappedIds);
	const times = { executionId: context.getExecutionId(), startedAt, endsAt, maximumAge };
	const wait: Wait = { ...times, ...goal, requestIds, reached: new Map() };
	const reading = await readAll(run, wait, mappedIds);
	const linkedIds = source ? requestIds : mappedIds;
	if (progressOf(wait, reading).isDone) {
		return [pairedResults(await doneItems(run, wait, reading), linkedIds, source), []];
	}
	// Nobody knows what will have happened when the limit ends the wait.
	const timedOut = requestIds.map((id) =>
		requestItem(connection.collectUrl, id, { timedOut: true }),
	);
	if (endsAt <= clock.now()) {
		if (endsAt <= startedAt) hintIfOver(run, requestIds);
		const results = pairedResults(timedOut, linkedIds, source);
		return isTool(run) ? [results] : [[], results];
	}
	if (endsAt === NEVER) {
		assertReported(run, wait, context.getMode() === 'manual' ? reading : undefined);
	}
	// If Done may output fewer than are awaited, their positions are not those of the source.
	const ofDone = goal.needed === requestIds.length ? source : undefined;
	const sources = [ofDone ?? null, source ?? null];
	knownWait(wait, clock.now());
	return await suspend(context, { until: endsAt, stored: toStored(wait), timedOut, sources });
}

/**
 * Reads all collection requests. Nothing is heard of a status until the wait is stored, so if reading
 * took a while, this looks once more at those that did not have one. In a manual execution, it looks at
 * intervals: when somebody builds a workflow step by step, each step is an execution of its own, and
 * notifications go to the one in which Create ran. Throws what no wait can cure.
 */
async function readAll(run: Run, wait: Wait, mappedIds: MappedIds): Promise<Reading> {
	const { context } = run;
	const reading: Reading = new Map();
	const isDone = async () => {
		await getEach(run, wait, reading, progressOf(wait, reading).pending);
		throwFatal(run, wait, reading, mappedIds);
		return progressOf(wait, reading).isDone;
	};
	const startedAt = clock.now();
	if (await isDone()) return reading;
	if (context.getMode() !== 'manual') {
		if (clock.now() - startedAt >= RECENT) await isDone();
		return reading;
	}
	if (wait.endsAt === NEVER) assertCanLook(run, wait);
	const end = Math.min(clock.now() + LOOK_FOR, wait.endsAt);
	while (clock.now() < end) {
		await sleepUntil(Math.min(clock.now() + LOOK_EVERY, end), cancelSignalOf(context));
		if (await isDone()) return reading;
	}
	return reading;
}
