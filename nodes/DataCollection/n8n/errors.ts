import {
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';

import type { Explanation, Result } from '../basics/result';

/** Why an item, or all of them, did not succeed. n8n keeps its index and what to do in the error. */
export type NodeError = NodeApiError | NodeOperationError;

/** An error about what was entered, to be thrown. {@link toNodeError} adds the node and the item. */
export const userError = ({ message, description }: Explanation): UserError =>
	new UserError(message, { description });

/** Whether an error says that something was entered wrongly, or is missing. */
export const isEntryError = (error: unknown): boolean =>
	error instanceof UserError || error instanceof NodeOperationError;

/** The value; an error is thrown as one about what was entered. */
export function orThrow<T>(result: Result<T, Explanation>): T {
	if (result.ok) return result.value;
	throw userError(result.error);
}

/** The one door through which errors leave: whatever was thrown, with the node and the item. */
export function toNodeError(node: INode, thrown: unknown, itemIndex?: number): NodeError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	if (!(thrown instanceof UserError)) return new NodeOperationError(node, thrown as Error);
	const { message, description } = thrown;
	const options = { description: description ?? undefined, itemIndex };
	// n8n replaces a message that contains an error code's name, and quoted input may contain one.
	return Object.assign(new NodeOperationError(node, message, options), { message });
}

/** The error about a call, made from text only, because n8n's own contains the request headers. */
export function callError(
	node: INode,
	failure: Explanation & { httpCode?: string; itemIndex?: number },
): NodeApiError {
	const { message } = failure;
	// n8n replaces a message that contains an error code's name, and an ID may contain one.
	return Object.assign(new NodeApiError(node, { message } as JsonObject, failure), { message });
}
