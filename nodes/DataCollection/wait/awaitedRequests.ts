import type { INodeProperties } from 'n8n-workflow';

import { yieldEvery } from '../basics/concurrency';
import type { Explanation } from '../basics/explanation';
import { isNextRound, outputsInOrder, outputsOf } from '../n8n/earlierItems';
import { toNodeError, userError } from '../n8n/errors';
import { inputFieldOf, unevaluated } from '../n8n/expressions';
import { upstreamNodes } from '../n8n/graph';
import { type Parameters, parametersOf } from '../n8n/parameters';
import { refuseExecuteOnce } from '../n8n/refusedSettings';
import { alwaysInTool, isTool } from '../n8n/tool';
import { createsBefore } from '../shared/createAndWaitNodes';
import type { Run } from '../shared/operation';
import { readStatuses } from '../shared/readStatuses';
import { readRequestId, requestIdField } from '../shared/requestId';
import { isWaitForSomeOf, statusesField, waitForField } from './awaitedStatuses';
import { requestIdsOf, type MappedIds } from './pairing';
import type { Goal } from './waitState';

export const MAXIMUM_REQUESTS = 1_000;

const whichField: INodeProperties = {
	displayName: 'Collection Requests',
	name: 'which',
	type: 'options',
	options: [
		{
			name: 'By Request ID',
			value: 'requestId',
			description: 'Those that the input items name, e.g. from a table or a trigger',
		},
		{
			name: 'Created Before This Node',
			value: 'created',
			description: 'All that Create nodes before this one have created in this execution',
		},
	],
	default: 'created',
	description: 'Which collection requests to wait for. Each comes out once.',
	displayOptions: { show: { '@tool': [false] } },
};

export const goalFields: INodeProperties[] = [
	whichField,
	...alwaysInTool(requestIdField, { which: ['requestId'] }),
	waitForField,
	statusesField,
];

export const numberOption: INodeProperties = {
	displayName: 'Number to Wait For',
	name: 'numberToWaitFor',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description:
		'How many of the collection requests must reach the status, e.g. 2 for the first two of five offers. Only these come out. All of them if you do not add this option.',
};

export const tooManyFor = (wait: string): Explanation => ({
	message: `${wait} takes up to ${MAXIMUM_REQUESTS.toLocaleString('en')} collection requests at a time`,
	description:
		'For more, set Report Status Changes To in Create to A Trigger: a Data Collection Trigger then starts a workflow for each collection request.',
});

/** The collection requests of the input items, or all created ones, on whatever branch. */
type Awaited = { requestIds: string[] } & (
	{ isAll: false; mappedIds: MappedIds } | { isAll: true; mappedIds?: undefined }
);

/** `requestIds` is empty if all of them have left this node already. */
export async function readGoal(run: Run, parameters: Parameters): Promise<Goal & Awaited> {
	const statuses = readStatuses(parameters, waitForField, statusesField);
	const isById = isTool(run.context) || parameters.option(whichField) === 'requestId';
	const number = parameters.optionalNumber(numberOption, 'options');
	const isForSome = number !== undefined;
	const awaited = isById ? await byRequestId(run) : awaitedOfCreates(run, statuses, isForSome);
	const { requestIds, mappedIds } = awaited;
	const firstTooMany = requestIds[MAXIMUM_REQUESTS];
	if (firstTooMany === undefined) {
		return { ...awaited, statuses, needed: neededOf(requestIds.length, number) };
	}
	const itemIndex = mappedIds?.indexOf(firstTooMany);
	throw toNodeError(run.context.getNode(), userError(tooManyFor('Wait')), itemIndex);
}

function neededOf(count: number, number = count): number {
	if (number <= count || count === 0) return number;
	const message = `Number to Wait For is ${number}, but the number of collection requests is ${count}`;
	throw userError({
		message,
		description: 'Lower the number, or remove the option to wait for all.',
	});
}

const NOTHING_CREATED = {
	message: 'No collection request has been created before this node in this execution',
	description:
		"Connect Create before this node, and check that it has created something. If a sub-workflow creates them, put this node into the sub-workflow, too. To wait for others, e.g. from a table or a trigger, set Collection Requests to By Request ID and turn on Limit Wait Time: nothing is reported to this execution about them, so lead Time's Up back to this node, which then reads the status itself.",
};

/**
 * If the expression takes a field of the item, n8n evaluates it once for each value of that field.
 */
async function byRequestId(run: Run): Promise<Awaited> {
	const { context } = run;
	refuseExecuteOnce(run.context);
	const field = inputFieldOf(unevaluated(run.context, requestIdField));
	const idsByValue = new Map<unknown, string>();
	const requestIds = new Set<string>();
	const mappedIds: string[] = [];
	for (const [itemIndex, { json }] of context.getInputData().entries()) {
		const value = field && json[field];
		const requestId = idsByValue.get(value) ?? requestIdOfItem(run, itemIndex);
		if (field) idsByValue.set(value, requestId);
		requestIds.add(requestId);
		mappedIds.push(requestId);
		if (requestIds.size > MAXIMUM_REQUESTS) break;
		await yieldEvery(100, itemIndex);
	}
	return { requestIds: [...requestIds], mappedIds, isAll: false };
}

function requestIdOfItem(run: Run, itemIndex: number): string {
	try {
		return readRequestId(run, parametersOf(run.context, itemIndex));
	} catch (error) {
		throw toNodeError(run.context.getNode(), error, itemIndex);
	}
}

/**
 * The first of these lists that is not empty:
 * 1. what has left neither this node nor, by Done, an earlier Wait
 * 2. in a loop: what timed out in the last round
 * 3. what has not left this node
 * 4. in a loop: all that was created, so that the loop ends
 *
 * With Number to Wait For, a branch that arrives late does not await what was left over. In a loop, the
 * next round does.
 */
function awaitedOfCreates({ context }: Run, statuses: string[], isForSome: boolean): Awaited {
	const creates = createsBefore(context).map(({ name }) => name);
	const runs = outputsInOrder(context, creates).map(requestIdsOf);
	const created = [...new Set(runs.flat())];
	if (created.length === 0) throw userError(NOTHING_CREATED);
	const waits = upstreamNodes(context).filter(({ parameters }) =>
		isWaitForSomeOf(statuses, parameters),
	);
	const done = new Set(
		waits.flatMap(({ name }) => requestIdsOf(outputsOf(context, name, 0).flat())),
	);
	const { name } = context.getNode();
	const ended = requestIdsOf(outputsOf(context, name, 0).flat());
	const timedOut = outputsOf(context, name, 1);
	const output = new Set([...ended, ...requestIdsOf(timedOut.flat())]);
	const isNext = isNextRound(context);
	const isOver = (ids: string[]) => isForSome && !isNext && ids.some((id) => ended.includes(id));
	const leftOver = new Set(runs.filter(isOver).flat());
	const notOutput = created.filter((id) => !output.has(id) && !leftOver.has(id));
	const notDone = notOutput.filter((id) => !done.has(id));
	const lastTimedOut = requestIdsOf(timedOut.slice(-1).flat());
	const choices = isNext ? [notDone, lastTimedOut, notOutput, created] : [notDone, notOutput];
	return { requestIds: choices.find(({ length }) => length > 0) ?? [], isAll: true };
}
