import type { IExecuteFunctions } from 'n8n-workflow';

import { mapped } from '../basics/result';
import { inWords } from '../basics/values';
import { callError } from '../n8n/errors';
import { eachItem, failureOf, type ItemResult, mapResults } from '../n8n/items';
import type { Share } from '../service/share';
import type {
	CallFailure,
	CallOptions,
	CollectionRequest,
	FailureKind,
	Read,
} from '../service/types';
import type { Run } from './run';

/** What an input item names: a key that is the same for the same name, and how to read it. */
export interface Named<T> {
	key: string;
	read: () => Promise<Read<T>>;
}

/** The same, with something else made of what is read. */
export const mapNamed = <T, U>({ key, read }: Named<T>, change: (value: T) => U): Named<U> => ({
	key,
	read: async () => mapped(await read(), change),
});

/** What was read or created. A failure is thrown, as an error of its item. */
export function orFail<T>(context: IExecuteFunctions, read: Read<T>): T {
	if (read.ok) return read.value;
	throw callError(context.getNode(), read.error);
}

/** Why something could not be read, if that is so. */
export const failureIn = (read: Read<unknown> | undefined): CallFailure | undefined =>
	read === undefined || read.ok ? undefined : read.error;

/**
 * The one rule of what the service does not have: it is missing if something else could be read.
 * Otherwise, the reason may as well be the account, the environment or a gateway.
 */
export const isAnyRead = (reads: Array<Read<unknown>>): boolean => reads.some(({ ok }) => ok);

/** Whether an input item comes from Time's Up of a Wait: nobody has read its collection request since. */
export const isTimedOut = (context: IExecuteFunctions, itemIndex: number): boolean =>
	context.getInputData()[itemIndex]?.json.timedOut === true;

/** Whether an input item comes from a Wait or Check Status that did not find the awaited status. */
export const isNotReached = (context: IExecuteFunctions, itemIndex: number): boolean =>
	context.getInputData()[itemIndex]?.json.isReached === false;

/** What came of what an item names. Without `read`, an item before it has named the same. */
interface Reading<T> {
	key: string;
	read?: Read<T>;
}

interface Policy {
	/** Failures that are no errors if something else could be read. */
	tolerated: FailureKind[];
	/** What a hint says becomes of them. */
	outcome: string;
	/** Whether an item gets nothing if one before it has named the same. */
	isOnce?: boolean;
}

/**
 * Reads what the input items name, each once, and resolves to what came of it for each item. What could
 * not be read is an error of the item, unless that is tolerated.
 */
export async function readEach<T>(
	run: Run,
	nameIn: (itemIndex: number) => Named<T>,
	{ tolerated, outcome, isOnce = false }: Policy,
): Promise<Array<ItemResult<Reading<T>>>> {
	const { context, concurrency } = run;
	const node = context.getNode();
	const begun = new Map<string, Promise<Read<T>>>();
	const results = await eachItem(context, concurrency, async (itemIndex): Promise<Reading<T>> => {
		const { key, read: begin } = nameIn(itemIndex);
		const earlier = begun.get(key);
		if (isOnce && earlier !== undefined) return { key };
		const reading = earlier ?? begin();
		begun.set(key, reading);
		const read = await reading;
		if (read.ok || tolerated.includes(read.error.kind)) return { key, read };
		throw callError(node, { ...read.error, itemIndex });
	});
	const reads = results.flatMap((result) => (result.ok && result.value.read) || []);
	const messages = reads.flatMap((read) => failureIn(read)?.message ?? []);
	if (messages.length === 0) return results;
	if (isAnyRead(reads)) {
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

/** The same for lists, which come out once. */
export async function readLists<T>(
	run: Run,
	nameIn: (itemIndex: number) => Named<T[]>,
): Promise<Array<ItemResult<T[]>>> {
	const results = await readEach(run, nameIn, LISTS);
	return mapResults(results, ({ read }) => (read?.ok ? read.value : []));
}

/** Reads a collection request, and its share if it is needed. A missing one counts as none yet: null. */
export async function readWithShare(
	{ api, hint }: Run,
	id: string,
	options: CallOptions,
	isNeeded: (request: CollectionRequest) => boolean,
): Promise<Read<{ request: CollectionRequest; share: Share | null }>> {
	const found = await api.getCollectionRequest(id, options);
	if (!found.ok) return found;
	const request = found.value;
	const share = isNeeded(request) ? await api.getShareOf(request, options) : undefined;
	if (share?.ok === false && share.error.kind !== 'missing') return share;
	if (share?.ok === false) hint(`${share.error.message}. It counts as none yet.`);
	return { ok: true, value: { request, share: share?.ok ? share.value : null } };
}
