import type { IDataObject, IExecuteFunctions, INodeProperties, ISourceData } from 'n8n-workflow';

import type { ApiClient } from '../api/client';
import type { Connection } from '../credential/connection';
import type { NodeError } from '../errors';
import type { Result } from '../result';

/** What every operation gets. Created once for all items of an execution. */
export interface Run {
	context: IExecuteFunctions;
	connection: Connection;
	api: ApiClient;
	created: Created;
	/**
	 * Shows a warning next to the output, once for all items. With an item, what is shown is the message,
	 * then `for items 2 and 5`, counted from 1, then the reason.
	 */
	hint(message: string, at?: { itemIndex: number; reason: string }): void;
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

/** The output for one input item: one output item, or one for each entry of a list. */
export type Output = IDataObject | IDataObject[];

/**
 * What came of an input item. Its output is linked to the input item with this index, if there is one,
 * or to the item with this index of `source`.
 */
export type ItemResult<T = Output> = Result<T, NodeError> & {
	itemIndex?: number;
	source?: ISourceData;
};

/** The result of an item that succeeded. */
export type ItemSuccess<T> = ItemResult<T> & { ok: true };

/** The result of an item that did not succeed. */
export type ItemFailure = ItemResult<never> & { ok: false };

/** What an operation file exports: its parameters, and one of two functions that run it. */
export type Operation = {
	/** In the order in which the editor shows them. */
	description: INodeProperties[];
} & (
	| { execute: (run: Run, itemIndex: number) => Promise<Output> }
	/** Handles all items at once. Resolves to the results for each output of the node. */
	| { executeAll: (run: Run) => Promise<ItemResult[][]> }
);

/** A resource's operations, by the value of its operation selector. */
export type Resource = Readonly<Record<string, Operation>>;
