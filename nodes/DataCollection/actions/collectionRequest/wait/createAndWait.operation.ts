import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import type { CollectionRequest } from '../../../api/types';
import { aboutRequest } from '../../../guestLink';
import { textsOf } from '../../../webhook/verifyDelivery';
import type { Run } from '../../operation';
import { callOptionsOf, inputError, optionsField, timeoutOption } from '../../operation';
import { additionalFields, create, createFields, retryNotice } from '../create.operation';
import { limitFields, waitTill } from './limit';

const displayOptions = { show: { resource: ['collectionRequest'], operation: ['createAndWait'] } };

export const description: INodeProperties[] = updateDisplayOptions(displayOptions, [
	...createFields,
	{
		displayName: 'Wait for Statuses',
		name: 'waitForStatuses',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Status' },
		default: ['completed'],
		placeholder: 'e.g. completed',
		description: 'The share statuses that end the wait; any of them does',
	},
	...limitFields,
	additionalFields,
	optionsField([timeoutOption]),
	retryNotice,
]);

/**
 * Creates a collection request whose notifications go to n8n's resume URL, and puts the execution
 * to wait for an awaited status. One that is there already is returned without waiting: its
 * notification may have come before n8n could take it.
 */
export async function executeAll(run: Run): Promise<IDataObject[]> {
	const { context } = run;
	if (context.getInputData().length > 1) {
		const advice =
			'Put a Loop Over Items node with batch size 1 before this node, or use Create with a Data Collection Trigger.';
		throw inputError(run, 0, 'Create and Wait takes one item at a time', advice);
	}
	const awaited = awaitedStatusesOf(run);
	const till = waitTill(run, 0, new Date());
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const { created } = await create(run, 0, resumeUrl);

	const current = await readNow(run, created);
	if (current?.shareStatus && awaited.includes(current.shareStatus)) {
		const item = aboutRequest(run.connection.collectUrl, created._id, current);
		return [{ ...item, notification: null }];
	}

	// n8n passes the node's input on when a wait expires, so that this is what a timeout delivers.
	const expired = { json: { ...created, timedOut: true }, pairedItem: { item: 0 } };
	context.getExecuteData().data.main = [[expired]];
	await context.putExecutionToWait(till);
	return [created];
}

/** Throws a NodeOperationError when there is none: nothing would ever end the wait. */
function awaitedStatusesOf(run: Run): string[] {
	const awaited = textsOf(run.context.getNodeParameter('waitForStatuses', 0, []));
	if (awaited.length > 0) return awaited;
	const advice = 'Enter at least one share status that ends the wait, e.g. completed.';
	throw inputError(run, 0, 'Wait for Statuses is empty', advice);
}

/** The collection request just after its creation; undefined when it cannot be read. */
async function readNow(run: Run, { _id }: CollectionRequest) {
	try {
		return await run.api.getCollectionRequest(_id, callOptionsOf(run, 0));
	} catch {
		// The request exists: waiting for its notification is all that is left to do.
		return undefined;
	}
}
