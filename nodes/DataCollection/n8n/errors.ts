import {
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';

import type { Explanation, Result } from '../basics/result';

export type NodeError = NodeApiError | NodeOperationError;

/** What was entered wrongly. {@link toNodeError} adds the node and the item. */
export const userError = ({ message, description }: Explanation): UserError =>
	new UserError(message, { description });

/** Whether something was entered wrongly, or is missing. */
export const isEntryError = (error: unknown): boolean =>
	error instanceof UserError || error instanceof NodeOperationError;

export function orThrow<T>(result: Result<T, Explanation>): T {
	if (result.ok) return result.value;
	throw userError(result.error);
}

/** The one door through which errors leave the node. */
export function toNodeError(node: INode, thrown: unknown, itemIndex?: number): NodeError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	if (!(thrown instanceof UserError)) return new NodeOperationError(node, thrown as Error);
	const { message, description } = thrown;
	const options = { description: description ?? undefined, itemIndex };
	return Object.assign(new NodeOperationError(node, message, options), { message });
}

/** Made from text only, because n8n's own error contains the request headers. */
export function callError(
	node: INode,
	failure: Explanation & { httpCode?: string; itemIndex?: number },
): NodeApiError {
	const { message } = failure;
	return Object.assign(new NodeApiError(node, { message } as JsonObject, failure), { message });
}
