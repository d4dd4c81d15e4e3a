import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Created, Failed } from './operation';

/** The result of an item whose operation has thrown. */
export function toFailed(context: IExecuteFunctions, thrown: unknown, itemIndex: number): Failed {
	const isOwn = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	const error = isOwn ? thrown : new NodeOperationError(context.getNode(), thrown as Error);
	const { itemIndex: named } = error.context as { itemIndex?: number };
	return {
		ok: false,
		error,
		description: error.description ?? '',
		itemIndex: named ?? itemIndex,
	};
}

/**
 * The error that ends the node. n8n then drops the output of the other items, so the description says
 * what would be lost: the IDs of the created collection requests, and the other items' failures.
 */
export function finalError(
	context: IExecuteFunctions,
	[first, ...others]: [Failed, ...Failed[]],
	created: Created,
): NodeApiError | NodeOperationError {
	const failures = others
		.filter(({ error }) => error !== first.error)
		.map(({ error, itemIndex }) => `Item ${itemIndex} did not succeed either: ${error.message}.`);
	const description = sentences(first.description, createdText(created), ...failures);
	return ownError(context, first, description);
}

export const sentences = (...texts: string[]) => texts.filter((text) => text !== '').join(' ');

/** A new error: Retry On Fail may get the one that was thrown a second time, so it stays as it is. */
function ownError(context: IExecuteFunctions, { error, itemIndex }: Failed, description: string) {
	const { message, stack } = error;
	const options = { message, description, itemIndex };
	const own =
		error instanceof NodeApiError
			? new NodeApiError(
					context.getNode(),
					{ message },
					{ ...options, httpCode: error.httpCode ?? '' },
				)
			: new NodeOperationError(context.getNode(), message, options);
	// n8n replaces a message that contains an error code's name.
	return Object.assign(own, { message, stack, context: { ...error.context, ...own.context } });
}

/** The collection requests that were created before a failure. Empty if there are none. */
export function createdText({ ids }: Created): string {
	if (ids.size === 0) return '';
	const were = ids.size === 1 ? 'request was' : 'requests were';
	return `Before this, ${ids.size} collection ${were} created: ${[...ids].join(', ')}. A new execution would create them again.`;
}
