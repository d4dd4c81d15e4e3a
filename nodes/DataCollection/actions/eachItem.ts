import type { IDataObject } from 'n8n-workflow';

import { mapConcurrently } from '../concurrency';
import { toFailed } from './failures';
import type { Result, Run } from './operation';
import { readConcurrency } from './fields';

/**
 * Does the work of each input item, as many at once as Concurrency says, and resolves to the results
 * in input order. Unless the node continues on failures, no item starts after the first one; items
 * that did not start are not in the results.
 */
export async function eachItem<T>(
	run: Run,
	work: (itemIndex: number) => Promise<T>,
	concurrency = readConcurrency(run),
): Promise<Array<Result<T>>> {
	const { context, clock } = run;
	const continueOnFail = context.continueOnFail();
	let hasFailed = false;
	const start = async (_item: unknown, itemIndex: number): Promise<Result<T> | undefined> => {
		if (hasFailed && !continueOnFail) return undefined;
		try {
			return { ok: true, value: await work(itemIndex), itemIndex };
		} catch (error) {
			hasFailed = true;
			return toFailed(context, error, itemIndex);
		}
	};
	const results = await mapConcurrently(context.getInputData(), concurrency, clock, start);
	return results.filter((result) => result !== undefined);
}

/**
 * The same for lists that come out once, however many items name them: the first of them gets the
 * list, the others nothing, and a hint says so.
 */
export async function eachList<T>(
	run: Run,
	listOf: (itemIndex: number) => { key: string; read: () => Promise<T[]> },
): Promise<Array<Result<T[]>>> {
	const named = new Set<string>();
	return await eachItem(run, async (itemIndex) => {
		const { key, read } = listOf(itemIndex);
		if (named.has(key)) {
			run.hint('Several items name the same collection request: its list comes out once.');
			return [];
		}
		named.add(key);
		return await read();
	});
}

/** The results with other values. */
export const mapResults = <T>(
	results: Array<Result<T>>,
	change: (value: T) => IDataObject[],
): Result[] =>
	results.map((result) => (result.ok ? { ...result, value: change(result.value) } : result));
