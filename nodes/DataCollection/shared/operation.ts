import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Hint } from '../n8n/hints';
import type { ItemResult, ItemSuccess, Output } from '../n8n/itemResults';
import type { ApiClient } from '../service/client';
import type { Connection } from '../service/connection';
import type { Invitees } from './earlierInvitees';

/** Created once for all items of an execution. */
export interface Run {
	context: IExecuteFunctions;
	concurrency: number;
	connection: Connection;
	api: ApiClient;
	created: Created;
	invitees: Invitees;
	hint: Hint;
}

/** In this execution of the node, also in earlier tries of Retry On Fail. */
export interface Created {
	/** An error that ends the node names these request IDs. */
	ids: Set<string>;
	/**
	 * By input item (of a group, its first). A rejected attempt has an unknown outcome.
	 */
	attempts: Map<number, Promise<CreatedItem[]>>;
}

export type CreatedItem = ItemSuccess<IDataObject>;

export type Operation = {
	description: INodeProperties[];
	/** Whether its items get the name, the email and the group of whom they are about. */
	addsInvitee?: true;
} & (
	| { execute: (run: Run, itemIndex: number) => Promise<Output> }
	/** Resolves to the results for each output of the node. */
	| { executeAll: (run: Run) => Promise<ItemResult[][]> }
);

/** By the value of the operation selector. */
export type Resource = Readonly<Record<string, Operation>>;
