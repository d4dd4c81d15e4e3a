import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { requestItem } from '../../../guestLink';
import type { Output, Run } from '../../operation';
import { inputError, optionsField, requestIdField } from '../../parameters';
import { assertReported, assertWebhooksCanRead } from '../notify';
import { goalFields, numberOption, readGoal } from './goal';
import { limitFields, waitTill } from './limit';
import { lookBeforeWait, readerOf, tellFailures } from './look';
import { progressOf, readOutput } from './reading';
import type { Goal, Known, WaitState } from './state';
import { idsOf, isReached, knownBefore, noteEnd, storeState, timedOutBefore } from './state';

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
	await assertWebhooksCanRead(run);
	const asked = readGoal(run);
	const till = waitTill(run, 0, new Date(clock.now()));
	const includeShare = context.getNodeParameter('options.includeShare', 0, false) === true;
	const executionId = context.getExecutionId();
	const known = knownBefore(executionId);
	const reader = readerOf(run, asked);
	const before = timedOutBefore(context, clock.now());

	const { goal, reading } = await lookBeforeWait(run, reader, { goal: asked, known, till });
	const { awaited } = goal;
	tellForgotten(run, before, idsOf(awaited));
	if (progressOf(goal, known, reading).isOver) {
		const items = await readOutput(reader, { awaited, includeShare }, known, reading);
		const unread = items.filter(({ readError }) => readError !== undefined).length;
		const lack = unread === 1 ? 'item lacks' : 'items lack';
		if (unread > 0) run.hint(`${unread} ${lack} data that could not be read: see readError.`);
		noteEnd(executionId, awaited);
		return items;
	}
	if (till === WAIT_INDEFINITELY) assertReported(run);
	const expired = expiredItems(run, goal, known);
	const endsAt = till === WAIT_INDEFINITELY ? null : till.getTime();
	const id = { executionId, startedAt: clock.now(), endsAt, includeShare };
	storeState(context, { ...id, ...storedGoal(run, goal, known) });
	if (till.getTime() <= clock.now()) return expired.map(({ json }) => json);
	tellFailures(run, goal, reading);
	context.getExecuteData().data.main = [expired];
	await context.putExecutionToWait(till);
	return expired.map(({ json }) => json);
}

function assertCanWait(run: Run): void {
	if (!run.isInsideAgent) return;
	const advice =
		'AI Agents before version 3 run their tools in their own process, and so does Execute Step on a tool. Use version 3 or newer of the AI Agent, or put Wait after the agent.';
	throw inputError(run, 0, 'A tool cannot wait inside the process of an AI Agent', advice);
}

/** Warns of a loop that hands only some of the collection requests back, such as those reminded. */
function tellForgotten(run: Run, before: string[], ids: string[]): void {
	const hide = run.connection.sanitizer.text;
	const count = before.filter((id) => !ids.map(hide).includes(id)).length;
	if (count === 0) return;
	const requests = count === 1 ? 'collection request' : 'collection requests';
	const message = `${count} ${requests} timed out in the last round and did not come back, so nothing waits for them any more. Connect all items that timed out back to this node, not only those of the people who were reminded.`;
	run.hint(message);
}

/** What is stored of it. Whoever may see the execution sees this, too, so secrets are hidden. */
function storedGoal(
	{ connection }: Run,
	{ awaited, needed }: Goal,
	known: Known,
): Pick<WaitState, 'awaited' | 'needed' | 'known'> {
	const hide = connection.sanitizer.text;
	const statuses = (id: string) => [...(known.get(id) ?? [])].map(hide);
	return {
		awaited: awaited.map((one) => ({ ...one, requestId: hide(one.requestId) })),
		needed,
		known: idsOf(awaited).map((id) => [hide(id), statuses(id)]),
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
