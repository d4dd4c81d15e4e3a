import type { IDataObject, IExecuteFunctions, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { timing } from '../context/timing';
import { mapWithConcurrency } from '../shared/concurrency';
import { collectionRequest } from './collectionRequest';
import type { Operation, OperationModule, Resource } from './operation';
import { concurrencyParameter } from './options';
import { share } from './share';

/** Every operation of the action node, by the values of its two selectors. */
export const resources: Readonly<Record<string, Resource>> = { collectionRequest, share };

type Failed = NodeApiError | NodeOperationError;
type Result = IDataObject | Failed;

const isFailed = (result: Result): result is Failed => result instanceof Error;

/**
 * Runs the selected operation for every input item, several at once, and links each output item to
 * its input; results keep the input order. With Continue On Fail an item that fails becomes an item
 * with its error; without it the first failure lets those under way finish and then ends the node.
 */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { execute, creates, isLocal } = selectedOperation.call(this);
	const goesOn = this.continueOnFail();
	let hasFailed = false;

	const results = await mapWithConcurrency(
		this.getInputData(),
		isLocal ? 1 : concurrencyParameter.call(this),
		async (_item, itemIndex) => {
			if (hasFailed && !goesOn) return undefined;
			const result = await runItem.call(this, execute, itemIndex);
			hasFailed ||= isFailed(result);
			return result;
		},
		timing.breathe,
	);

	const done = results.filter((result) => result !== undefined);
	if (hasFailed && !goesOn) throw firstFailure(done, creates);
	return [done.map(toItem)];
}

function selectedOperation(this: IExecuteFunctions): OperationModule {
	const resource = this.getNodeParameter('resource', 0);
	const operation = this.getNodeParameter('operation', 0);
	const operations = Object.entries(resources[resource] ?? {});
	const selected = operations.find(([name]) => name === operation);
	if (selected !== undefined) return selected[1];
	throw new NodeOperationError(
		this.getNode(),
		`The operation "${operation}" of "${resource}" is not known`,
		{
			description:
				'Select a resource and an operation again. If the workflow comes from a newer version of this package, update the package.',
		},
	);
}

async function runItem(
	this: IExecuteFunctions,
	operation: Operation,
	itemIndex: number,
): Promise<Result> {
	try {
		return await operation.call(this, itemIndex);
	} catch (error) {
		if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
		return new NodeOperationError(this.getNode(), error as JsonObject & Error, { itemIndex });
	}
}

/**
 * The failure that ends the node. n8n drops the items that were done, so its description holds what
 * would be lost: the IDs of what was created, and the failures of other items.
 */
function firstFailure(results: Result[], creates: boolean | undefined): Failed | undefined {
	const [first, ...others] = results.filter(isFailed);
	if (first === undefined) return undefined;
	const created = results.flatMap((result) => (isFailed(result) ? [] : [result._id]));
	const texts = [first.description ?? ''];
	if (creates && created.length > 0) {
		texts.push(
			`Before this, ${created.length} collection ${created.length === 1 ? 'request was' : 'requests were'} created: ${created.join(', ')}. Running the node again would create them again.`,
		);
	}
	for (const { message, context } of others) {
		texts.push(`Item ${String(context.itemIndex)} did not succeed either: ${message}.`);
	}
	first.description = texts.filter((text) => text !== '').join(' ');
	return first;
}

function toItem(result: Result, itemIndex: number): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (!isFailed(result)) return { json: withoutErrorField(result), pairedItem };
	return { json: { error: result.message, details: result.description ?? '' }, pairedItem };
}

/**
 * n8n's Retry On Fail takes a field `error` in the first item for a failure and would repeat a
 * create that succeeded, so one that the service answers is renamed.
 */
function withoutErrorField({ error, ...fields }: IDataObject): IDataObject {
	return error === undefined ? fields : { ...fields, serviceError: error };
}
