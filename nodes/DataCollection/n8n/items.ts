import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type ISourceData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { mapConcurrently } from '../basics/concurrency';
import { err, type Result } from '../basics/result';
import { type NodeError, toNodeError } from './errors';

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

/**
 * Does the work of each input item, so many at once, and resolves to the results in input order. Unless
 * the node continues on failures, no item starts after the first one; items that did not start are not
 * in the results.
 */
export async function eachItem<T>(
	context: IExecuteFunctions,
	concurrency: number,
	work: (itemIndex: number) => Promise<T>,
): Promise<Array<ItemResult<T>>> {
	const indexes = [...context.getInputData().keys()];
	const items = indexes.map((value) => ({ ok: true, value, itemIndex: value }) as const);
	return await eachResult(context, concurrency, items, work);
}

/** The same for what has come of items so far. Failures stay as they are, and take no turn. */
export async function eachResult<V, T>(
	context: IExecuteFunctions,
	concurrency: number,
	results: Array<ItemResult<V>>,
	work: (value: V) => Promise<T>,
): Promise<Array<ItemResult<T>>> {
	const continueOnFail = context.continueOnFail();
	let hasFailed = false;
	const start = async ({ value, itemIndex = 0 }: ItemSuccess<V>) => {
		if (hasFailed && !continueOnFail) return undefined;
		try {
			return { ok: true, value: await work(value), itemIndex } as const;
		} catch (error) {
			hasFailed = true;
			return failureOf(context, error, itemIndex);
		}
	};
	const successes = results.filter((result) => result.ok);
	const worked = await mapConcurrently(successes, concurrency, start);
	const next = worked.values();
	return results
		.map((result) => (result.ok ? next.next().value : result))
		.filter((result) => result !== undefined);
}

/** The results with other values. */
export const mapResults = <T, U>(
	results: Array<ItemResult<T>>,
	change: (value: T) => U,
): Array<ItemResult<U>> =>
	results.map((result) => (result.ok ? { ...result, value: change(result.value) } : result));

/** The result of an item whose work has thrown. An error that names an item belongs to that one. */
export function failureOf(
	context: IExecuteFunctions,
	thrown: unknown,
	itemIndex: number,
): ItemFailure {
	const error = toNodeError(context.getNode(), thrown, itemIndex);
	const { itemIndex: named } = error.context as { itemIndex?: number };
	return { ...err(error), itemIndex: named ?? itemIndex };
}

/** Every n8n version sends an item to the error output if it has only `error` and `message`. */
export function toItems(result: ItemResult): INodeExecutionData[] {
	const { itemIndex: item, source } = result;
	if (!result.ok) {
		const { message, name, description } = result.error;
		// An empty text would make n8n take the item for a success.
		const json = { error: message || name, ...(description ? { message: description } : {}) };
		return [{ json, pairedItem: item === undefined ? [] : { item } }];
	}
	// n8n would link an item without a link with the only input item.
	const link = item === undefined ? [] : { item, ...(source && { sourceOverwrite: source }) };
	return [result.value].flat().map((json) => ({ json: withoutErrorField(json), pairedItem: link }));
}

/**
 * The error that ends the node. n8n then drops the output of the other items, so the description says
 * what would be lost: the IDs of the created collection requests, and the other items' failures.
 */
export function finalError(
	context: IExecuteFunctions,
	[first, ...others]: [ItemFailure, ...ItemFailure[]],
	more: string,
): NodeError {
	const failures = others
		.filter(({ error }) => error !== first.error)
		.map(
			({ error, itemIndex = 0 }) =>
				`Item ${itemIndex + 1} did not succeed either: ${error.message}.`,
		);
	return withMore(context, first, [more, ...failures]);
}

/** A new error: Retry On Fail may get the one that was thrown a second time, so it stays as it is. */
export function withMore(
	context: IExecuteFunctions,
	{ error, itemIndex }: ItemFailure,
	more: string[],
): NodeError {
	const { message, stack } = error;
	const texts = [error.description ?? '', ...more].filter((text) => text !== '');
	const options = { message, description: texts.join(' '), itemIndex };
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

/**
 * Renames a field `error` that the service sends. n8n's Retry On Fail takes that field in the first
 * item for a failure, and would repeat a create that succeeded.
 */
export function withoutErrorField({ error, ...fields }: IDataObject): IDataObject {
	return error === undefined ? fields : { ...fields, serviceError: error };
}
