import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	updateDisplayOptions,
} from 'n8n-workflow';

import type { ItemResult, ItemSuccess, Output } from '../n8n/items';
import type { Hint } from '../n8n/parameters';
import type { ApiClient } from '../service/client';
import type { Connection } from '../service/connection';
import type { Owners } from './owners';

/** What every operation gets. Created once for all items of an execution. */
export interface Run {
	context: IExecuteFunctions;
	/** How many items are processed at the same time. */
	concurrency: number;
	connection: Connection;
	api: ApiClient;
	created: Created;
	owners: Owners;
	hint: Hint;
}

/** What was created in this execution of the node, also in earlier tries of Retry On Fail. */
export interface Created {
	/** The request IDs. An error that ends the node names them. */
	ids: Set<string>;
	/**
	 * The output of Create, by the index of its input item, or of the first one of a group. Rejected if
	 * the outcome is unknown.
	 */
	outputs: Map<number, Promise<CreatedItem[]>>;
}

/** An output item of Create, and the index of its input item. */
export type CreatedItem = ItemSuccess<IDataObject>;

/** What an operation file exports: its parameters, and one of two functions that run it. */
export type Operation = {
	/** In the order in which the editor shows them. */
	description: INodeProperties[];
	/** Whether its items say whose their collection request is. */
	tellsOwner?: true;
} & (
	| { execute: (run: Run, itemIndex: number) => Promise<Output> }
	/** Handles all items at once. Resolves to the results for each output of the node. */
	| { executeAll: (run: Run) => Promise<ItemResult[][]> }
);

/** A resource's operations, by the value of its operation selector. */
export type Resource = Readonly<Record<string, Operation>>;

/** The parameters of a resource's operations. Each is shown only for its own operation. */
export const fieldsOf = (resource: string, operations: Resource): INodeProperties[] =>
	Object.entries(operations).flatMap(([operation, { description }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, description),
	);
