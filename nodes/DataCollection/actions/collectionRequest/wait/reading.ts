import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import { shareOf } from '../../../api/share';
import type { CallOptions, CollectionRequest } from '../../../api/types';
import type { Clock } from '../../../clock';
import { mapConcurrently } from '../../../concurrency';
import type { Connection } from '../../../credential/connection';
import { requestItem } from '../../../guestLink';
import { hasStatus } from '../../../webhook/notification';
import type { Goal, Known, WaitState } from './state';
import { addStatus, idsOf, isReached } from './state';

const CONCURRENCY = 20;

/** What reading needs, in an execution and in a webhook call. */
export interface Reader {
	api: ApiClient;
	clock: Clock;
	connection: Connection;
	/** The options for reading the collection request with this ID, and its share. */
	options: (id: string) => CallOptions;
}

/** What reading has shown, by request ID. */
export interface Reading {
	found: Map<string, CollectionRequest>;
	failures: Map<string, unknown>;
}

export const NOTHING_READ: Reading = { found: new Map(), failures: new Map() };

/** Whether the service refuses for good to return a resource. */
export const isGone = (error: unknown): boolean =>
	error instanceof NodeApiError && ['403', '404', '410'].includes(error.httpCode ?? '');

/**
 * How far a wait has come. It is over if enough collection requests have had an awaited status, or if
 * no other one can come, because the service no longer returns the rest.
 */
export function progressOf({ awaited, needed }: Goal, known: Known, { found, failures }: Reading) {
	const ids = idsOf(awaited);
	const unreached = ids.filter((id) => !isReached(awaited, known, id));
	const pending = unreached.filter((id) => !isGone(failures.get(id)));
	const notYet = pending.filter((id) => found.has(id)).length;
	const possible = ids.length - unreached.length + pending.length - notYet;
	return {
		isOver: ids.length - unreached.length >= needed || pending.length === 0,
		/** So many are certainly not there yet that no further read can show that it is over. */
		isWaiting: notYet > 0 && possible < needed,
		pending,
	};
}

/**
 * Reads collection requests, several at once, and adds their statuses to what is known. Before each
 * read, it asks whether that one is still needed. Never throws.
 */
export async function readEach(
	{ api, clock, options }: Reader,
	ids: string[],
	known: Known,
	isNeeded: (id: string, reading: Reading) => boolean = () => true,
): Promise<Reading> {
	const reading: Reading = { found: new Map(), failures: new Map() };
	const read = async (id: string) => {
		if (!isNeeded(id, reading)) return;
		try {
			const found = await api.getCollectionRequest(id, options(id));
			reading.found.set(id, found);
			for (const either of new Set([id, found._id])) addStatus(known, either, found.shareStatus);
		} catch (error) {
			reading.failures.set(id, error);
		}
	};
	await mapConcurrently(ids, CONCURRENCY, clock, read);
	return reading;
}

/** A reading with what a later one has shown. */
export function merge(reading: Reading, later: Reading): Reading {
	const failures = [...reading.failures].filter(([id]) => !later.found.has(id));
	return {
		found: new Map([...reading.found, ...later.found]),
		failures: new Map([...failures, ...later.failures]),
	};
}

/**
 * The output of a wait that is over, one item for each input item. Uses what `reading` has, and reads
 * the rest. What cannot be read does not hold up the others: its item has what is known, and
 * `readError` says why.
 */
export async function readOutput(
	reader: Reader,
	{ awaited, includeShare }: Pick<WaitState, 'awaited' | 'includeShare'>,
	known: Known,
	reading: Reading,
	notification?: IDataObject,
): Promise<IDataObject[]> {
	const ids = idsOf(awaited);
	const before = new Map(ids.map((id) => [id, [...(known.get(id) ?? [])]]));
	const isUnread = (id: string) => !reading.found.has(id) && !reading.failures.has(id);
	const { found, failures } = merge(reading, await readEach(reader, ids.filter(isUnread), known));
	const items = new Map<string, IDataObject>();
	const build = async (id: string) => {
		const request = found.get(id);
		const failure = failures.get(id);
		const share = includeShare ? await readShare(reader, request) : {};
		const statuses = awaited.flatMap((one) => (one.requestId === id ? one.statuses : []));
		const isAwaited = (status: string) => hasStatus(statuses, status);
		items.set(id, {
			...requestItem(reader.connection.collectUrl, id, { ...request, ...share }),
			shareStatus: statusOf(request?.shareStatus, before.get(id) ?? [], isAwaited),
			isReached: isReached(awaited, known, id),
			...(failure === undefined ? {} : { readError: messageOf(failure) }),
			notification: notification?.requestId === id ? notification : null,
			timedOut: false,
		});
	};
	await mapConcurrently(ids, CONCURRENCY, reader.clock, build);
	return awaited.map(({ requestId }) => ({ ...items.get(requestId) }));
}

/** The share of a collection request, or why it could not be read. */
async function readShare(
	{ api, options }: Reader,
	request: CollectionRequest | undefined,
): Promise<IDataObject> {
	if (request === undefined) return { share: null };
	try {
		return { share: await shareOf(api, request, options(request._id)) };
	} catch (error) {
		return { share: null, readError: messageOf(error) };
	}
}

/**
 * The status to put out: the one that was read, unless that read lags behind what was known before.
 */
function statusOf(
	read: string | undefined,
	before: string[],
	isAwaited: (status: string) => boolean,
): string | null {
	const last = before[before.length - 1];
	const lags = read !== last && before.includes(read ?? '') && !isAwaited(read ?? '');
	if (read !== undefined && !lags) return read;
	return before.filter(isAwaited).pop() ?? read ?? last ?? null;
}

const messageOf = (error: unknown) =>
	error instanceof Error ? error.message : 'The read did not succeed';
