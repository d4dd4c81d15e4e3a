import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { connectionOf } from '../../context/connection';
import { apiRequest } from '../../context/transport';
import { textsOf } from '../../shared/texts';
import type { CollectionRequest } from '../../shared/types';
import { inputError, showFor } from '../operation';
import { optionsOf, timeoutOption, timeoutParameter } from '../options';
import { additionalFields, createFields, retryNotice } from './createFields';
import { createRequest } from './createRequest';
import { waitFields } from './waitFields';
import { waitUntil } from './waitUntil';

/** Running it again creates again. */
export const creates = true;

export const description: INodeProperties[] = showFor('collectionRequest', 'createAndWait', [
	...createFields,
	...waitFields,
	additionalFields,
	optionsOf([timeoutOption]),
	retryNotice,
]);

/**
 * Creates a collection request whose notifications go to n8n's resume URL, and puts the execution
 * to wait for an awaited status. One that is there already is returned without waiting: its
 * notification may have come before n8n could take it.
 */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	if (this.getInputData().length > 1) {
		throw inputError.call(
			this,
			itemIndex,
			'Create and Wait takes one item at a time',
			'Put a Loop Over Items node with batch size 1 before this node, or use Create with a Data Collection Trigger.',
		);
	}
	const connection = await connectionOf.call(this, itemIndex);
	const awaited = awaitedStatuses.call(this, itemIndex);
	const waitTill = waitUntil.call(this, itemIndex, new Date());
	const webhookUrl = String(this.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex));
	const created = await createRequest.call(this, { itemIndex, connection, webhookUrl });

	const current = await readNow.call(this, created, connection, itemIndex);
	if (current?.shareStatus && awaited.includes(current.shareStatus)) {
		return { ...current, guestLink: created.guestLink, notification: null };
	}

	// n8n passes the node's input on when a wait expires, so that this is what a timeout delivers.
	const expired = { json: { ...created, timedOut: true }, pairedItem: { item: itemIndex } };
	this.getExecuteData().data.main = [[expired]];
	await this.putExecutionToWait(waitTill);
	return created;
}

/** Throws a NodeOperationError when there is none: nothing would ever end the wait. */
function awaitedStatuses(this: IExecuteFunctions, itemIndex: number): string[] {
	const awaited = textsOf(this.getNodeParameter('waitForStatuses', itemIndex, []));
	if (awaited.length > 0) return awaited;
	throw inputError.call(
		this,
		itemIndex,
		'Wait for Statuses is empty',
		'Enter at least one share status that ends the wait, e.g. completed.',
	);
}

/** The collection request just after its creation; undefined when it cannot be read. */
async function readNow(
	this: IExecuteFunctions,
	{ _id: id }: CollectionRequest,
	connection: Awaited<ReturnType<typeof connectionOf>>,
	itemIndex: number,
): Promise<CollectionRequest | undefined> {
	try {
		return await apiRequest<CollectionRequest>(this, {
			request: 'read',
			resource: 'collection-request',
			id,
			connection,
			timeout: timeoutParameter.call(this, itemIndex),
			itemIndex,
		});
	} catch {
		// The request exists: waiting for its notification is all that is left to do.
		return undefined;
	}
}
