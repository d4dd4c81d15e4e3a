import type { IDataObject, INodeProperties, ISourceData, NodeHint } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { isCalledWithOneItem, isNextRound, outputsOf } from '../n8n/earlierItems';
import { optionsField } from '../n8n/fields';
import type { ItemResult } from '../n8n/itemResults';
import { parametersOf } from '../n8n/parameters';
import {
	assertCanSuspend,
	nextNumber,
	NEVER,
	queuedRuns,
	suspend,
	waitingTooltipOf,
} from '../n8n/suspension';
import { isTool } from '../n8n/tool';
import { requestItem } from '../service/collectionRequest';
import { maximumAgeOption } from '../shared/fields';
import type { Run } from '../shared/operation';
import { readGoal, goalFields, numberOption } from './awaitedRequests';
import { assertReportsExpected } from './expectedReports';
import { type MappedIds, pairedResults, pairingOf, requestIdsOf } from './pairing';
import { progressOf } from './progress';
import { doneItems, readAll } from './readRequests';
import { assertFirstTimeout, limitFields, readEnd } from './timeLimit';
import { remember, type Readings, toStored, type Wait } from './waitState';

export const addsInvitee = true;

export const description: INodeProperties[] = [
	...goalFields,
	...limitFields,
	optionsField([maximumAgeOption, numberOption]),
];

export const waitingTooltip = waitingTooltipOf(
	`"Waiting until " + ($parameter.options?.numberToWaitFor ? $parameter.options.numberToWaitFor + " of the collection requests are " : "all collection requests are ") + ($parameter.waitFor === "statuses" ? [$parameter.waitForStatuses].flat().join(" or ") : $parameter.waitFor === "open" ? "open or completed" : "completed") + (!$parameter.limitWaitTime ? "" : $parameter.limitType === "atSpecifiedTime" ? ", at the latest until " + $parameter.maxDateAndTime : ", at most for " + $parameter.resumeAmount + " " + $parameter.resumeUnit)`,
);

const CALLED_ONCE =
	'If the workflow that has called this one calls it once for each of its items, it goes on as soon as the first of these calls has ended, and the answers of the others are lost to it. In Execute Sub-workflow, set Mode to Run Once with All Items.';

export const waitHints: NodeHint[] = [
	{
		message:
			'Use Execute workflow: the service reports only to the execution in which Create has run. With Execute step, this node looks for itself instead: every 5 seconds, for up to ten minutes.',
		displayCondition: '={{ $parameter["operation"] === "wait" }}',
		whenToDisplay: 'beforeExecution',
		location: 'outputPane',
	},
];

/** Resolves to the items of Done and Time's Up, or suspends the execution until {@link resume}. */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	const { context, hint } = run;
	const startedAt = clock.now();
	const parameters = parametersOf(context, 0, hint);
	const endsAt = readEnd(parameters, startedAt);
	const maximumAge = parameters.number(maximumAgeOption, 'options');
	assertCanSuspend(context, { hasLimit: endsAt !== NEVER });
	const toCome = queuedRuns(context);
	const own = { executionId: context.getExecutionId(), number: nextNumber(context) };
	const { isAll, mappedIds: named, ...goal } = await readGoal(run, parameters);
	// Before reading: following links takes a while, and notifications count only once the wait is
	// stored.
	const { requestIds, source, mappedIds } = await pairingOf(run, goal.requestIds, named);
	if (isAll && toCome.count === 0) hintOnBranch(run, requestIds, mappedIds);
	if (isCalledWithOneItem(context)) hint(CALLED_ONCE);
	const wait: Wait = { ...own, endsAt, maximumAge, ...goal, requestIds, reached: new Map() };
	const reading = await readAll(run, wait, mappedIds);
	const links = source ? requestIds : mappedIds;
	const link = (items: IDataObject[]) => pairedResults(items, links, source);
	const results = progressOf(wait, reading).isDone
		? [link(await doneItems(run, wait, reading)), []]
		: await goOnWaiting(run, { wait, reading, source, startedAt, link });
	// Not after an error: then the other branches may try.
	if (isAll) toCome.drop();
	return results;
}

const ALL_OUTPUT =
	'Nothing comes out for this branch: it has reached this node only after everything that was created had left it. If a node on this branch has to run before the wait, bring the branches together with a Merge node before this one.';

function hintOnBranch({ context, hint }: Run, requestIds: string[], mappedIds: MappedIds): void {
	if (requestIds.length === 0) return hint(ALL_OUTPUT);
	const named = new Set(mappedIds);
	const { length } = requestIds.filter((id) => named.has(id));
	// An item may stand for all, and after a reminder only those who were reminded come back.
	if (mappedIds.length === 1 || isNextRound(context)) return;
	if (length === 0 || length === requestIds.length) return;
	hint(
		`This node waits for all ${requestIds.length} collection requests that were created before it, and its input items are of ${length} of them. To wait for these only, set Collection Requests to By Request ID.`,
	);
}

interface Waiting {
	wait: Wait;
	reading: Readings;
	source?: ISourceData;
	startedAt: number;
	link: (items: IDataObject[]) => ItemResult[];
}

async function goOnWaiting(run: Run, waiting: Waiting): Promise<ItemResult[][]> {
	const { context, connection } = run;
	const { wait, reading, source, startedAt, link } = waiting;
	const { requestIds, needed, endsAt } = wait;
	// n8n stores these items now, so nobody can know what is completed by then.
	const timedOut = requestIds.map((id) =>
		requestItem(connection.collectUrl, id, { timedOut: true }),
	);
	if (endsAt <= clock.now()) {
		const before = outputsOf(context, context.getNode().name, 1).flat();
		if (endsAt <= startedAt) assertFirstTimeout(requestIds, requestIdsOf(before));
		return isTool(context) ? [link(timedOut)] : [[], link(timedOut)];
	}
	if (endsAt === NEVER) {
		assertReportsExpected(run, wait, context.getMode() === 'manual' ? reading : undefined);
	}
	// If Done may output fewer than are awaited, their positions are not those of the source.
	const sources = [needed === requestIds.length ? (source ?? null) : null, source ?? null];
	remember(wait, clock.now());
	return await suspend(context, { until: endsAt, stored: toStored(wait), timedOut, sources });
}
