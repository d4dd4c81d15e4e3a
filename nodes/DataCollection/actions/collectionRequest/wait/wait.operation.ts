import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, updateDisplayOptions } from 'n8n-workflow';

import type { CollectionRequest } from '../../../api/types';
import { mapConcurrently } from '../../../concurrency';
import { guestLink } from '../../../guestLink';
import { includes, textsOf } from '../../../webhook/verifyDelivery';
import type { Output, Run } from '../../operation';
import { hint, inputError, optionsField, requestIdField, requestIdOf } from '../../operation';
import { awaitedItem, READS_AT_ONCE, readWithShare } from './awaited';
import type { Awaited } from './awaited';
import { limitFields, waitTill } from './limit';
import { assertWebhooksCanRead } from './resumeUrl';

/** How many collection requests one wait can be about. */
const MOST_ITEMS = 100;

/** Seconds for all reads before the wait: until it is stored, n8n refuses notifications. */
const READ_BUDGET = 3;

const displayOptions = { show: { resource: ['collectionRequest'], operation: ['wait'] } };

export const description: INodeProperties[] = updateDisplayOptions(displayOptions, [
	{ ...requestIdField, default: '={{ $json.requestId }}' },
	{
		displayName: 'Wait for Statuses',
		name: 'waitForStatuses',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Status' },
		default: ['completed'],
		placeholder: 'e.g. completed',
		description:
			'The share statuses that end the wait; any of them does, once every collection request has one',
	},
	...limitFields,
	optionsField([
		{
			displayName: 'Include Share',
			name: 'includeShare',
			type: 'boolean',
			default: false,
			description: 'Whether to read the share of each collection request as well, with the answers',
		},
	]),
]);

/**
 * Waits until every collection request of the input has an awaited status, and goes on at once if
 * all have. What is awaited is kept with the execution, for the notifications that {@link resume}
 * takes; when the limit ends first, n8n passes the node's input on, with `timedOut: true`.
 */
export async function executeAll(run: Run): Promise<Output[]> {
	const { context } = run;
	assertCanWait(run);
	await assertWebhooksCanRead(run);
	const items = context.getInputData();
	const awaited = items.map((_item, itemIndex) => awaitedOf(run, itemIndex));
	const till = waitTill(run, 0, new Date());
	const includeShare = context.getNodeParameter('options.includeShare', 0, false) === true;

	const found = await readEach(run, awaited, includeShare);
	const outputs = awaited.map(({ requestId, statuses }) => {
		const current = found.get(requestId);
		if (current === undefined || !includes(statuses, current.shareStatus)) return undefined;
		return awaitedItem(run.connection.collectUrl, current, null);
	});
	if (outputs.every((output) => output !== undefined)) return outputs;

	context.getContext('node').dataCollection = { awaited, includeShare };
	const expired = items.map((item, index) =>
		expiredItem(run, item, awaited[index]?.requestId ?? ''),
	);
	context.getExecuteData().data.main = [
		expired.map((item, index) => ({ ...item, pairedItem: { item: index } })),
	];
	await context.putExecutionToWait(till);
	return expired.map(({ json }) => json);
}

function assertCanWait({ context }: Run): void {
	const node = context.getNode();
	if (context.getExecuteData().node.name !== node.name) {
		throw new NodeOperationError(node, 'This version of the AI Agent cannot wait', {
			description:
				'It runs its tools in its own process. Use version 3 of the AI Agent or newer, or wait in a node after the agent.',
		});
	}
	if (context.getInputData().length <= MOST_ITEMS) return;
	throw new NodeOperationError(node, `Wait takes up to ${MOST_ITEMS} items at a time`, {
		itemIndex: MOST_ITEMS,
		description:
			'For more, let Create hand notifications to a Data Collection Trigger: it starts a workflow for each.',
	});
}

function awaitedOf(run: Run, itemIndex: number): Awaited {
	const requestId = requestIdOf(run, itemIndex);
	const statuses = textsOf(run.context.getNodeParameter('waitForStatuses', itemIndex, []));
	if (statuses.length > 0) return { requestId, statuses };
	const advice = 'Enter at least one share status that ends the wait, e.g. completed.';
	throw inputError(run, itemIndex, 'Wait for Statuses is empty', advice);
}

/**
 * Reads each collection request once. One that the service refuses would be awaited for ever, so that
 * ends the node; what cannot be read for the moment is told in a hint.
 */
async function readEach(run: Run, awaited: Awaited[], includeShare: boolean) {
	const found = new Map<string, CollectionRequest & IDataObject>();
	const ids = [...new Set(awaited.map(({ requestId }) => requestId))];
	const failures: unknown[] = [];
	const deadline = run.clock.now() + READ_BUDGET * 1000;
	await mapConcurrently(
		ids.length,
		READS_AT_ONCE,
		async (index) => {
			const id = ids[index] ?? '';
			const itemIndex = awaited.findIndex(({ requestId }) => requestId === id);
			const options = { timeout: READ_BUDGET, deadline, itemIndex };
			await readWithShare(run.api, id, includeShare, options).then(
				(current) => found.set(id, current),
				(error: unknown) => failures.push(error),
			);
		},
		async () => await run.clock.sleep(0),
	);
	const refused = failures.find(
		(error) => error instanceof NodeApiError && /^4(?!08|29)/.test(error.httpCode ?? ''),
	);
	if (refused !== undefined) throw refused as NodeApiError;
	if (failures.length > 0) {
		hint(
			run,
			`${failures.length} of ${ids.length} collection requests could not be read before the wait. If one of them has an awaited status already, only a limit ends the wait.`,
		);
	}
	return found;
}

/** What comes out of an input item when the limit ends the wait; `timedOut` is set anew each round. */
function expiredItem(
	{ connection }: Run,
	{ json, binary }: INodeExecutionData,
	requestId: string,
): INodeExecutionData {
	const own = { requestId, guestLink: guestLink(connection.collectUrl, requestId) };
	const expired = { ...own, ...json, ...own, timedOut: true };
	return binary === undefined ? { json: expired } : { json: expired, binary };
}
