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
import { readConcurrency } from './callOptions';
import { type NodeError, toNodeError } from './errors';
import type { WithContext } from './graph';

/** What this needs of the run of an operation. */
interface Run extends WithContext {
	hint(message: string): void;
}

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
 * Does the work of each input item, as many at once as Concurrency says, and resolves to the results
 * in input order. Unless the node continues on failures, no item starts after the first one; items
 * that did not start are not in the results.
 */
export const eachItem = async <T>(run: Run, work: (itemIndex: number) => Promise<T>) =>
	await eachOf(
		run,
		[...run.context.getInputData().keys()].map((itemIndex) => ({ itemIndex })),
		async ({ itemIndex }) => await work(itemIndex),
	);

/** The same for anything that has the index of an input item, to which its result belongs. */
export async function eachOf<E extends { itemIndex?: number }, T>(
	run: Run,
	entries: E[],
	work: (entry: E, index: number) => Promise<T>,
	concurrency = readConcurrency(run),
): Promise<Array<ItemResult<T>>> {
	const { context } = run;
	const continueOnFail = context.continueOnFail();
	let hasFailed = false;
	const start = async (entry: E, index: number): Promise<ItemResult<T> | undefined> => {
		if (hasFailed && !continueOnFail) return undefined;
		const { itemIndex = 0 } = entry;
		try {
			return { ok: true, value: await work(entry, index), itemIndex };
		} catch (error) {
			hasFailed = true;
			return failureOf(context, error, itemIndex);
		}
	};
	const results = await mapConcurrently(entries, concurrency, start);
	return results.filter((result) => result !== undefined);
}

/** The value of a result; a failure is thrown. */
export function valueOf<T>(result: ItemResult<T>): T {
	if (result.ok) return result.value;
	throw result.error;
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
