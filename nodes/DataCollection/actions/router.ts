import type { IExecuteFunctions, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { collectionRequest } from './collectionRequest';
import type { Operation, Resource } from './operation';
import { share } from './share';

/** Every operation of the action node, by the values of its two selectors. */
export const resources: Readonly<Record<string, Resource>> = { collectionRequest, share };

type Failed = NodeApiError | NodeOperationError;

/**
 * Runs the selected operation for every input item, in input order, and links each output item to
 * its input. With Continue On Fail an item that fails becomes an item with its error; without it the
 * first failure ends the node.
 */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = selectedOperation.call(this);
	const output: INodeExecutionData[] = [];
	for (const itemIndex of this.getInputData().keys()) {
		const result = await runItem.call(this, operation, itemIndex);
		if (result instanceof Error && !this.continueOnFail()) throw result;
		output.push(toItem(result, itemIndex));
	}
	return [output];
}

function selectedOperation(this: IExecuteFunctions): Operation {
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
): Promise<INodeExecutionData['json'] | Failed> {
	try {
		return await operation.call(this, itemIndex);
	} catch (error) {
		if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
		return new NodeOperationError(this.getNode(), error as JsonObject & Error, { itemIndex });
	}
}

function toItem(
	result: INodeExecutionData['json'] | Failed,
	itemIndex: number,
): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (!(result instanceof Error)) return { json: result, pairedItem };
	return {
		json: { error: result.message, description: result.description ?? '' },
		error: result,
		pairedItem,
	};
}
