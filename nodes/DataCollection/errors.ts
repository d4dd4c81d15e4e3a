import { type INode, NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import type { Explanation } from './result';

/** Why an item, or all of them, did not succeed. n8n keeps its index and what to do in the error. */
export type NodeError = NodeApiError | NodeOperationError;

/** An error about what was entered, to be thrown. {@link toNodeError} adds the node and the item. */
export const userError = ({ message, description }: Explanation): UserError =>
	new UserError(message, { description });

/** The one door through which errors leave: whatever was thrown, with the node and the item. */
export function toNodeError(node: INode, thrown: unknown, itemIndex?: number): NodeError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	if (!(thrown instanceof UserError)) return new NodeOperationError(node, thrown as Error);
	const { message, description } = thrown;
	const options = { description: description ?? undefined, itemIndex };
	// n8n replaces a message that contains an error code's name, and quoted input may contain one.
	return Object.assign(new NodeOperationError(node, message, options), { message });
}
