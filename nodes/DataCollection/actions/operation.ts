import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ApiClient } from '../api/client';
import type { Clock } from '../clock';
import type { Connection } from '../credential/connection';

/** What every operation gets. Created once for all items of an execution. */
export interface Run {
	context: IExecuteFunctions;
	connection: Connection;
	api: ApiClient;
	clock: Clock;
	created: Created;
	/** Whether an older AI Agent itself runs this node as a tool, instead of n8n running the node. */
	isInsideAgent: boolean;
	/** Shows a warning next to the output, once for all items. */
	hint(message: string): void;
	/** How many items name each list. {@link readOnce} counts them. */
	lists: Map<string, number>;
	/** Whether a webhook reads the same credential. Found out once, when an operation asks. */
	isCredentialFixed?: Promise<boolean>;
}

/** What was created in this execution of the node, also in earlier tries of Retry On Fail. */
export interface Created {
	/** The request IDs, as they may be shown. An error that ends the node names them. */
	ids: Set<string>;
	/** The output of Create, by the index of its input item. Rejected if the outcome is unknown. */
	outputs: Map<number, Promise<IDataObject[]>>;
}

/** The output for one input item: one output item, or one for each entry of a list. */
export type Output = IDataObject | IDataObject[];

/** What an operation file exports: its parameters, and one of three functions that run it. */
export type Operation = {
	/** In the order in which the editor shows them. */
	description: INodeProperties[];
} & (
	| { execute: (run: Run, itemIndex: number) => Promise<Output> }
	/**
	 * For what cannot be taken back, and for what several items share: reads an item's parameters, and
	 * resolves to the function that does the work. That begins only when the parameters of all items
	 * have been read, in their order.
	 */
	| { prepare: (run: Run, itemIndex: number) => Promise<() => Promise<Output>> }
	/** Handles all items at once. Resolves to the output for each item, in input order. */
	| { executeAll: (run: Run) => Promise<Output[]> }
);

/** A resource's operations, by the value of its operation selector. */
export type Resource = Readonly<Record<string, Operation>>;
