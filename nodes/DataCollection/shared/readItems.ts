import type { IExecuteFunctions } from 'n8n-workflow';

import { mapped } from '../basics/result';
import { inWords } from '../basics/text';
import { callError } from '../n8n/errors';
import { eachItem, failureOf, type ItemResult, mapResults } from '../n8n/itemResults';
import type { CallFailure, FailureKind, Read } from '../service/callFailure';
import type { CallOptions } from '../service/callTypes';
import type { CollectionRequest } from '../service/collectionRequest';
import type { Share } from '../service/share';
import type { Run } from './operation';

/** What to read for an input item. With the same key, it is read only once. */
export interface ReadTask<T> {
	key: string;
	read: () => Promise<Read<T>>;
}

export const mapTask = <T, U>(
	{ key, read }: ReadTask<T>,
	change: (value: T) => U,
): ReadTask<U> => ({
	key,
	read: async () => mapped(await read(), change),
});

/** Throws a failure as an error of its item. */
export function orThrowFailure<T>(context: IExecuteFunctions, read: Read<T>): T {
	if (read.ok) return read.value;
	throw callError(context.getNode(), read.error);
}

export const failureIn = (read: Read<unknown> | undefined): CallFailure | undefined =>
	read === undefined || read.ok ? undefined : read.error;

/** A 404 counts as missing only if something else could be read with the same credential. */
export const isAnyRead = (reads: Array<Read<unknown>>): boolean => reads.some(({ ok }) => ok);

/** Without `read`, an earlier item has named the same. */
interface ItemRead<T> {
	key: string;
	read?: Read<T>;
}

interface Policy {
	/** Failures that are no errors if something else could be read. */
	tolerated: FailureKind[];
	/** What becomes of them, for a hint. */
	outcome: string;
	/** Whether later items that name the same get nothing. */
	isOnce?: boolean;
}

/** Reads what the items name, each once. A failure is an error of its item unless tolerated. */
export async function readEach<T>(
	run: Run,
	taskOf: (itemIndex: number) => ReadTask<T>,
	{ tolerated, outcome, isOnce = false }: Policy,
): Promise<Array<ItemResult<ItemRead<T>>>> {
	const { context, concurrency } = run;
	const node = context.getNode();
	const readByKey = new Map<string, Promise<Read<T>>>();
	const results = await eachItem(context, concurrency, async (itemIndex): Promise<ItemRead<T>> => {
		const { key, read: start } = taskOf(itemIndex);
		const earlier = readByKey.get(key);
		if (isOnce && earlier !== undefined) return { key };
		const reading = earlier ?? start();
		readByKey.set(key, reading);
		const read = await reading;
		if (read.ok || tolerated.includes(read.error.kind)) return { key, read };
		throw callError(node, { ...read.error, itemIndex });
	});
	const values = results.flatMap((result) => (result.ok ? [result.value] : []));
	const reads = values.flatMap(({ key, read }) => (read === undefined ? [] : [{ key, read }]));
	// With isOnce, only the first of those that name the same has the failure.
	const failures = new Map(reads.map(({ key, read }) => [key, failureIn(read)?.message]));
	const messages = values.flatMap(({ key }) => failures.get(key) ?? []);
	if (messages.length === 0) return results;
	if (isAnyRead(reads.map(({ read }) => read))) {
		const why = inWords([...new Set(messages)]);
		run.hint(
			`${messages.length} of ${results.length} items could not be read. ${outcome}: ${why}.`,
		);
		return results;
	}
	return results.map((result) => {
		const failure = result.ok ? failureIn(result.value.read) : undefined;
		const { itemIndex = 0 } = result;
		return failure
			? failureOf(context, callError(node, { ...failure, itemIndex }), itemIndex)
			: result;
	});
}

const LISTS: Policy = { tolerated: ['missing'], outcome: 'They are left out', isOnce: true };

export async function readLists<T>(
	run: Run,
	taskOf: (itemIndex: number) => ReadTask<T[]>,
): Promise<Array<ItemResult<T[]>>> {
	const results = await readEach(run, taskOf, LISTS);
	return mapResults(results, ({ read }) => (read?.ok ? read.value : []));
}

/** The share is null if there is none yet, if it is missing, or if it is not needed. */
export async function readWithShare(
	{ api, hint }: Run,
	id: string,
	options: CallOptions,
	isNeeded: (request: CollectionRequest) => boolean,
): Promise<Read<{ request: CollectionRequest; share: Share | null }>> {
	const read = await api.getCollectionRequest(id, options);
	if (!read.ok) return read;
	const request = read.value;
	const share = isNeeded(request) ? await api.getShareOf(request, options) : undefined;
	if (share?.ok === false && share.error.kind !== 'missing') return share;
	if (share?.ok === false) hint(`${share.error.message}. It counts as none yet.`);
	return { ok: true, value: { request, share: share?.ok ? share.value : null } };
}
