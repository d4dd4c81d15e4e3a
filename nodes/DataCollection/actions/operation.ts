import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import type { ApiClient } from '../api/client';
import type { Clock } from '../clock';
import type { Connection } from '../credential/connection';

/** What every operation gets. Created once for all items of an execution. */
export interface Run {
	context: IExecuteFunctions;
	connection: Connection;
	api: ApiClient;
	clock: Clock;
	/** The IDs of the collection requests created so far. An error that ends the node names them. */
	created: Set<string>;
	/** The warnings that are already shown. */
	hints: Set<string>;
	/** How many items name each list. {@link readOnce} counts them. */
	lists: Map<string, number>;
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

/** The parameters of a resource's operations. Each is shown only for its own operation. */
export const fieldsOf = (resource: string, operations: Resource): INodeProperties[] =>
	Object.entries(operations).flatMap(([operation, { description }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, description),
	);

/** Whether an older AI Agent itself runs this node as a tool, instead of n8n running the node. */
export const runsInsideAnAgent = ({ context }: Pick<Run, 'context'>) =>
	context.getExecuteData().node.name !== context.getNode().name;

/** Shows a warning next to the output, once for all items. */
export function hint({ context, hints }: Run, message: string): void {
	if (hints.has(message)) return;
	hints.add(message);
	context.addExecutionHints({ type: 'warning', location: 'outputPane', message });
}

/** The nodes of this type before this one. Older n8n does not give their parameters. */
export function earlierNodes({ context }: Run) {
	const { name, type } = context.getNode();
	const parents = context.getParentNodes(name, { includeNodeParameters: true });
	return parents.filter((parent) => parent.type === type);
}
