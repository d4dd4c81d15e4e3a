import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { inputError } from '../../../fields';
import { requestItem } from '../../../guestLink';
import type { Output, Run } from '../../operation';
import { optionsField, requestIdField } from '../../parameters';
import { assertReported, assertWebhooksCanRead, canBeReported } from '../notify';
import { goalFields, numberOption, readGoal } from './goal';
import { limitFields, waitTill } from './limit';
import { readerOf, readFirst } from './readFirst';
import { failuresOf, isRefused, progressOf, readOutput } from './reading';
import type { Goal, Known, Reading, WaitState } from './state';
import {
	beginWait,
	endWait,
	idsOf,
	isReached,
	learn,
	memoryOf,
	storeState,
	takeTimedOut,
} from './state';

export const description: INodeProperties[] = [
	requestIdField,
	...goalFields,
	...limitFields,
	optionsField([
		{
			displayName: 'Include Share',
			name: 'includeShare',
			type: 'boolean',
			default: false,
			description: 'Whether to also read the share of each collection request, with its answers',
		},
		numberOption,
	]),
];

/**
 * What the editor shows at the node while it waits. n8n evaluates it without items, and only for
 * parameters with fixed values.
 */
export const waitingTooltip = `={{ "Waiting until " + ($parameter.options?.numberToWaitFor ? $parameter.options.numberToWaitFor + " of the collection requests are " : "all collection requests are ") + ($parameter.waitFor === "statuses" ? [$parameter.waitForStatuses].flat().join(" or ") : $parameter.waitFor) + (!$parameter.limitWaitTime ? "" : $parameter.limitType === "atSpecifiedTime" ? ", at the latest until " + $parameter.maxDateAndTime : ", at most for " + $parameter.resumeAmount + " " + $parameter.resumeUnit) }}`;

/**
 * Waits until the collection requests in the input have had an awaited status. Returns at once if
 * they have. Stores what is awaited with the execution, for the notifications that {@link resume}
 * handles. If the limit ends the wait, n8n outputs the node's input, so this replaces the input with
 * items that have `timedOut: true`.
 */
export async function executeAll(run: Run): Promise<Output[]> {
	const { context, clock } = run;
	assertCanWait(run);
	const startedAt = clock.now();
	const asked = readGoal(run);
	const till = waitTill(run, 0, new Date(startedAt));
	if (till === WAIT_INDEFINITELY || canBeReported(run)) await assertWebhooksCanRead(run);
	const executionId = context.getExecutionId();
	const memory = memoryOf(executionId);
	const timedOut = takeTimedOut(context, memory, startedAt);
	beginWait(memory, startedAt, true);

	const { goal, known, reading } = await readFirst(run, asked, memory.known, till);
	memory.known = learn(memory.known, known);
	tellForgotten(run, timedOut, goal);
	const includeShare = context.getNodeParameter('options.includeShare', 0, false) === true;
	if (progressOf(goal, known, reading).isOver) {
		const items = await readOutput(readerOf(run, goal), { ...goal, includeShare }, known, reading);
		tellUnread(run, items);
		endWait(memory, goal.awaited);
		return items;
	}
	if (till === WAIT_INDEFINITELY) assertReported(run, idsOf(goal.awaited));
	const expired = expiredItems(run, goal, known);
	const endsAt = till === WAIT_INDEFINITELY ? null : till.getTime();
	const stored = storedGoal(run, goal, known);
	storeState(context, { executionId, startedAt, endsAt, includeShare, ...stored });
	if (till.getTime() > clock.now()) {
		tellFailures(run, goal, reading);
		context.getExecuteData().data.main = [expired];
		await context.putExecutionToWait(till);
	}
	return expired.map(({ json }) => json);
}

function assertCanWait(run: Run): void {
	if (!run.isInsideAgent) return;
	const advice =
		'AI Agents before version 3 run their tools in their own process, and so does Execute Step on a tool. Use version 3 or newer of the AI Agent, or put Wait after the agent.';
	throw inputError(run, 0, 'A tool cannot wait inside the process of an AI Agent', advice);
}

/** Warns of a loop that hands only some of the collection requests back, such as those reminded. */
function tellForgotten(run: Run, timedOut: string[], { awaited }: Goal): void {
	const back = idsOf(awaited).map(run.connection.sanitizer.text);
	const count = timedOut.filter((id) => !back.includes(id)).length;
	if (count === 0) return;
	const requests = count === 1 ? 'collection request' : 'collection requests';
	const message = `${count} ${requests} timed out in the last round and did not come back, so nothing waits for them any more. Connect all items that timed out back to this node, not only those of the people who were reminded.`;
	run.hint(message);
}

/** Warns of items in the output that lack data. */
function tellUnread(run: Run, items: IDataObject[]): void {
	const count = items.filter(({ readError }) => readError !== undefined).length;
	const lack = count === 1 ? 'item lacks' : 'items lack';
	if (count > 0) run.hint(`${count} ${lack} data that could not be read: see readError.`);
}

/** Warns of collection requests that could not be read before the wait. */
function tellFailures(run: Run, { awaited }: Goal, reading: Reading): void {
	const count = idsOf(awaited).length;
	const refused = [...reading.values()].filter(isRefused).length;
	const unread = failuresOf(reading).length;
	if (refused > 0) {
		const message = `The service does not return ${refused} of ${count} collection requests, so this wait does not wait for them. In the end, the field readError of their items says why.`;
		run.hint(message);
	}
	if (unread > 0) {
		const message = `${unread} of ${count} collection requests could not be read before the wait. If one of them already has a status that you are waiting for, only a time limit can end the wait.`;
		run.hint(message);
	}
}

/** What is stored of it. Whoever may see the execution sees this, too, so secrets are hidden. */
function storedGoal(
	{ connection }: Run,
	{ awaited, needed }: Goal,
	known: Known,
): Pick<WaitState, 'awaited' | 'needed' | 'known'> {
	const hide = connection.sanitizer.text;
	return {
		awaited: awaited.map((one) => ({ ...one, requestId: hide(one.requestId) })),
		needed,
		known: idsOf(awaited).map((id) => [hide(id), (known.get(id) ?? []).map(hide)]),
	};
}

/** What comes out if the limit ends the wait. Sets the wait's own fields anew in each round. */
function expiredItems(
	{ context, connection }: Run,
	{ awaited }: Goal,
	known: Known,
): INodeExecutionData[] {
	return context.getInputData().map(({ json, binary }, item) => {
		const { requestId = '' } = awaited[item] ?? {};
		const own = { isReached: isReached(awaited, known, requestId), timedOut: true };
		const shown = connection.sanitizer.text(requestId);
		const fields = { ...requestItem(connection.collectUrl, shown, json), ...own };
		return { json: fields, ...(binary && { binary }), pairedItem: { item } };
	});
}
