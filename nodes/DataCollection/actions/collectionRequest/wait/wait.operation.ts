import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeApiError, WAIT_INDEFINITELY } from 'n8n-workflow';

import { aboutRequest } from '../../../guestLink';
import { parseWords } from '../../../parse';
import type { Output, Run } from '../../operation';
import { earlierNodes, hint, runsInsideAnAgent } from '../../operation';
import { inputError, optionsField, requestIdField, requestIdOf } from '../../parameters';
import type { Awaited } from './awaited';
import { idsOf, readAwaited } from './awaited';
import { limitFields, waitTill } from './limit';
import { assertWebhooksCanRead } from './resumeUrl';

/** The maximum number of collection requests in one wait. */
const MOST_REQUESTS = 100;

export const description: INodeProperties[] = [
	requestIdField,
	{
		displayName: 'Wait for Statuses',
		name: 'waitForStatuses',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Status' },
		default: ['completed'],
		placeholder: 'e.g. completed',
		description: 'The wait ends when every collection request has one of these statuses',
	},
	...limitFields,
	optionsField([
		{
			displayName: 'Include Share',
			name: 'includeShare',
			type: 'boolean',
			default: false,
			description: 'Whether to also read the share of each collection request, with its answers',
		},
	]),
];

/**
 * Waits until every collection request in the input has an awaited status. Returns at once if all
 * have one already. Stores what is awaited with the execution, for the notifications that {@link
 * resume} handles. If the limit ends the wait, n8n outputs the node's input, so this replaces the
 * input with items that have `timedOut: true`.
 */
export async function executeAll(run: Run): Promise<Output[]> {
	const { connection, context } = run;
	if (runsInsideAnAgent(run)) {
		const advice =
			'AI Agents before version 3 run their tools in their own process, and so does Execute Step on a tool. Use version 3 or newer of the AI Agent, or put Wait after the agent.';
		throw inputError(run, 0, 'A tool cannot wait inside the process of an AI Agent', advice);
	}
	await assertWebhooksCanRead(run);
	const input = context.getInputData();
	const asked = input.map((_item, itemIndex) => awaitedOf(run, itemIndex));
	assertFew(run, asked);
	const till = waitTill(run, 0, new Date());
	const includeShare = context.getNodeParameter('options.includeShare', 0, false) === true;

	const { items, isMissing, failures } = await readAwaited(run, { awaited: asked, includeShare });
	tellFailures(run, failures, asked);
	if (!isMissing && failures.length === 0) return items;
	if (till === WAIT_INDEFINITELY) warnOfNoEnd(run);

	// Notifications have the service's own ID, which may differ from the one given, e.g. in case.
	const ownId = (index: number) => connection.sanitizer.text(items[index]?.requestId ?? '');
	const awaited = asked.map((entry, index) => ({ ...entry, requestId: ownId(index) }));
	context.getContext('node').dataCollection = { awaited, includeShare };
	const expired = input.map((item, index) => expiredItem(run, item, index, ownId(index)));
	context.getExecuteData().data.main = [expired];
	await context.putExecutionToWait(till);
	return expired.map(({ json }) => json);
}

function assertFew(run: Run, awaited: Awaited[]): void {
	const tooMuch = idsOf(awaited)[MOST_REQUESTS];
	if (tooMuch === undefined) return;
	const itemIndex = awaited.findIndex(({ requestId }) => requestId === tooMuch);
	const message = `Wait takes up to ${MOST_REQUESTS} collection requests at a time`;
	const advice =
		'For more, set Notify in Create to A Trigger: a Data Collection Trigger then starts a workflow for each collection request.';
	throw inputError(run, itemIndex, message, advice);
}

function awaitedOf(run: Run, itemIndex: number): Awaited {
	const requestId = requestIdOf(run, itemIndex);
	const given = run.context.getNodeParameter('waitForStatuses', itemIndex, []);
	const statuses = parseWords(given);
	if (statuses !== undefined && statuses.length > 0) return { requestId, statuses };
	const message = `Wait for Statuses ${statuses === undefined ? 'is not a list of texts' : 'is empty'}`;
	const advice = 'Enter at least one share status that ends the wait, e.g. completed.';
	throw inputError(run, itemIndex, message, advice);
}

/**
 * Throws a failure that no wait can cure: the service refused the collection request, or the
 * execution was cancelled. Temporary read failures become a hint.
 */
function tellFailures(run: Run, failures: unknown[], awaited: Awaited[]): void {
	const final = failures.find(
		(error) => !(error instanceof NodeApiError) || /^4(?!08|29)/.test(error.httpCode ?? ''),
	);
	if (final !== undefined) throw final as Error;
	if (failures.length === 0) return;
	const message = `${failures.length} of ${idsOf(awaited).length} collection requests could not be read before the wait. If one of them already has a status that you are waiting for, only a time limit can end the wait.`;
	hint(run, message);
}

/** Warns of a wait that neither a notification nor a limit can end. */
function warnOfNoEnd(run: Run): void {
	const creates = earlierNodes(run).filter(({ parameters }) => parameters?.operation === 'create');
	const [create] = creates;
	if (!create || creates.some(({ parameters }) => parameters?.notify !== 'none')) return;
	const message = `"${create.name}" sends no notifications, and this wait has no time limit, so nothing can end it. In that node, set Notify to A Wait Operation Later in This Workflow, or turn on Limit Wait Time here.`;
	hint(run, message);
}

/** The output for an input item if the limit ends the wait. Sets `timedOut` anew in each round. */
function expiredItem(
	{ connection }: Run,
	{ json, binary }: INodeExecutionData,
	item: number,
	requestId: string,
): INodeExecutionData {
	const expired = { ...aboutRequest(connection.collectUrl, requestId, json), timedOut: true };
	return { json: expired, ...(binary && { binary }), pairedItem: { item } };
}
