import {
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';

import type { Explanation } from '../basics/explanation';
import type { Result } from '../basics/result';

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

/** Makes an error of this node out of whatever was thrown. */
export function toNodeError(node: INode, thrown: unknown, itemIndex?: number): NodeError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	if (!(thrown instanceof UserError)) return new NodeOperationError(node, thrown as Error);
	const { message, description } = thrown;
	const options = { description: description ?? undefined, itemIndex };
	return withMessage(new NodeOperationError(node, message, options), message);
}

/** Made from text only, because n8n's own error contains the request headers. */
export const callError = (
	node: INode,
	failure: Explanation & { httpCode?: string; itemIndex?: number },
): NodeApiError =>
	withMessage(
		new NodeApiError(node, { message: failure.message } as JsonObject, failure),
		failure.message,
	);

/** n8n replaces a message that contains an error code's name, as an ID or quoted input may. */
const withMessage = <E extends NodeError>(error: E, message: string): E =>
	Object.assign(error, { message });

/** A new error: Retry On Fail may throw the same one again, so it stays as it is. */
export function withMore(
	{ error, itemIndex }: { error: NodeError; itemIndex?: number },
	more: string[],
): NodeError {
	const { node, message, stack } = error;
	const texts = [error.description ?? '', ...more].filter((text) => text !== '');
	const explanation = { message, description: texts.join(' ') };
	const longer =
		error instanceof NodeApiError
			? callError(node, { ...explanation, itemIndex, httpCode: error.httpCode ?? '' })
			: toNodeError(node, userError(explanation), itemIndex);
	return Object.assign(longer, { stack, context: { ...error.context, ...longer.context } });
}
