import type { INodeProperties } from 'n8n-workflow';

import { parametersOf } from '../../../parameters';
import { hasStatus } from '../../../webhook/notification';
import type { Run } from '../../operation';
import { givenRequestId, requestIdField } from '../../fields';
import { earlierNodes, isTool } from '../../workflow';
import { statusesOf } from './goal';
import type { RunData } from './runData';
import { hasRun, linkedItem, ofEachInput, outputsOf, requestIdOf, requestIdsOf } from './runData';

/** The maximum number of collection requests in one wait. */
const MAXIMUM_REQUESTS = 100;

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

/** The fields that say what is awaited, in the order in which the editor shows them. */
export const awaitedFields: INodeProperties[] = [
	whichField,
	{ ...requestIdField, displayOptions: { show: { which: ['requestId'], '@tool': [false] } } },
	{ ...requestIdField, displayOptions: { show: { '@tool': [true] } } },
];

/** The collection requests of a wait. */
export interface Awaited {
	/** Each once, in the order of creation or of the input. */
	requestIds: string[];
	/** For each input item, the collection request that it stands for, if any. */
	standsFor: Array<string | undefined>;
}

/** Reads what to wait for: at least 1 and at most 100 collection requests. */
export async function readAwaited(run: Run, statuses: string[]): Promise<Awaited> {
	const isById = isTool(run) || parametersOf(run.context, 0).choice(whichField) === 'requestId';
	const awaited = isById ? byRequestId(run) : await createdBefore(run, statuses);
	const tooMuch = awaited.requestIds[MAXIMUM_REQUESTS];
	if (tooMuch === undefined) return awaited;
	const message = `Wait takes up to ${MAXIMUM_REQUESTS} collection requests at a time`;
	const advice =
		'For more, set Report Status Changes To in Create to A Trigger: a Data Collection Trigger then starts a workflow for each collection request.';
	const itemIndex = Math.max(0, awaited.standsFor.indexOf(tooMuch));
	throw parametersOf(run.context, itemIndex).wrong({ message, advice });
}

function byRequestId(run: Run): Awaited {
	const standsFor = run.context
		.getInputData()
		.map((_, itemIndex) => givenRequestId(run, itemIndex));
	return { requestIds: [...new Set(standsFor)], standsFor };
}

async function createdBefore(run: Run, statuses: string[]): Promise<Awaited> {
	const { context } = run;
	const earlier = earlierNodes(run);
	const own = context.getNode().name;
	const runData = context.getWorkflowDataProxy(0);
	const created = idsFrom(
		runData,
		earlier.filter(({ parameters }) => parameters?.operation === 'create'),
	);
	if (created.length === 0) throw nothingCreated(run);
	const isDoneThere = ({ parameters = {} }: (typeof earlier)[number]) =>
		parameters.operation === 'wait' && isPartOf(statusesOf(parameters), statuses);
	const done = idsFrom(runData, earlier.filter(isDoneThere));
	const requestIds = stillAwaited(runData, own, created, new Set(done));
	const names = earlier.map(({ name }) => name).reverse();
	return { requestIds, standsFor: await readLinked(run, names.filter(hasRun(runData))) };
}

/** What these nodes have put out by their first outputs, in all their runs. */
const idsFrom = (runData: RunData, nodes: Array<{ name: string }>) =>
	requestIdsOf(nodes.flatMap(({ name }) => outputsOf(runData, name, 0).flat()));

const isPartOf = (some: string[], all: string[]) =>
	some.length > 0 && some.every((status) => hasStatus(all, status));

/**
 * Of those that no earlier Wait is done with: those that this node has not put out yet. In a round of
 * reminders there are none, and those are awaited again that timed out in its last run. If there are
 * none either, everything was done before: then what this node has not put out, or else all. The wait
 * ends at once, so that a loop goes on.
 */
function stillAwaited(runData: RunData, own: string, created: string[], done: Set<string>) {
	const timedOut = outputsOf(runData, own, 1);
	const seen = new Set(requestIdsOf([...outputsOf(runData, own, 0), ...timedOut].flat()));
	const fresh = created.filter((id) => !done.has(id) && !seen.has(id));
	if (fresh.length > 0) return fresh;
	const again = requestIdsOf(timedOut.pop() ?? []);
	if (again.length > 0) return again;
	const unseen = created.filter((id) => !seen.has(id));
	return unseen.length > 0 ? unseen : created;
}

/** An item without a request ID stands for that of the nearest of these nodes that it comes from. */
async function readLinked(run: Run, names: string[]): Promise<Array<string | undefined>> {
	const input = run.context.getInputData();
	return await ofEachInput(run, (runData, itemIndex) => {
		const own = requestIdOf(input[itemIndex]);
		if (own !== undefined) return own;
		const linked = names.map((name) => requestIdOf(linkedItem(runData, name)));
		return linked.find((id) => id !== undefined);
	});
}

function nothingCreated(run: Run) {
	const message = 'No collection request has been created before this node in this execution';
	const advice =
		'Connect Create before this node, and check that it has created something. To wait for other collection requests, e.g. from a table or a trigger, set Collection Requests to By Request ID.';
	return parametersOf(run.context, 0).wrong({ message, advice });
}
