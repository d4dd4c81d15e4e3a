import type { IDataObject, IExecuteFunctions, INodeExecutionData, ISourceData } from 'n8n-workflow';

import { mapConcurrently } from '../basics/concurrency';
import { err, type Result } from '../basics/result';
import { type NodeError, toNodeError, withMore } from './errors';

/** One output item, or one for each entry of a list. */
export type Output = IDataObject | IDataObject[];

/** `itemIndex` is the item that n8n pairs the output with: of the input, or of `source`. */
export type ItemResult<T = Output> = Result<T, NodeError> & {
	itemIndex?: number;
	source?: ISourceData;
};

export type ItemSuccess<T> = ItemResult<T> & { ok: true };

type ItemFailure = ItemResult<never> & { ok: false };

/**
 * In input order. Unless the node continues on failures, nothing starts after the first failure.
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

/** Failures stay as they are, and take no turn. */
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

export const mapResults = <T, U>(
	results: Array<ItemResult<T>>,
	change: (value: T) => U,
): Array<ItemResult<U>> =>
	results.map((result) => (result.ok ? { ...result, value: change(result.value) } : result));

/** An error that names an item belongs to that item. */
export function failureOf(
	context: IExecuteFunctions,
	thrown: unknown,
	itemIndex: number,
): ItemFailure {
	const error = toNodeError(context.getNode(), thrown, itemIndex);
	const { itemIndex: named } = error.context as { itemIndex?: number };
	return { ...err(error), itemIndex: named ?? itemIndex };
}

/** The name of a file in an item. In workflows of Execution Logic v2, files are in the JSON. */
export const fileIn = ({ json }: INodeExecutionData, name: string): string =>
	'_files' in json ? `_files.${name}` : name;

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

/** n8n drops the output of the other items, so the description says what would be lost. */
export function finalError(
	[first, ...others]: [ItemFailure, ...ItemFailure[]],
	more: string,
): NodeError {
	const failures = others
		.filter(({ error }) => error !== first.error)
		.map(
			({ error, itemIndex = 0 }) =>
				`Item ${itemIndex + 1} did not succeed either: ${error.message}.`,
		);
	return withMore(first, [more, ...failures]);
}

/** n8n's Retry On Fail takes a field `error` for a failure: it would repeat a create. */
function withoutErrorField({ error, ...fields }: IDataObject): IDataObject {
	return error === undefined ? fields : { ...fields, serviceError: error };
}
