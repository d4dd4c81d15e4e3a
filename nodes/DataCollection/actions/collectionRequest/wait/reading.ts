import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import { isRefusal } from '../../../api/retry';
import { shareOf } from '../../../api/share';
import type { CallOptions, CollectionRequest } from '../../../api/types';
import type { Clock } from '../../../clock';
import { mapConcurrently } from '../../../concurrency';
import type { Connection } from '../../../credential/connection';
import { requestItem } from '../../../guestLink';
import { hasStatus } from '../../../webhook/notification';
import type { AwaitedItem, Goal, Known, Read, Reading, WaitState } from './state';
import { idsOf, isReached, learn } from './state';

const CONCURRENCY = 20;

/** What reading needs, in an execution and in a webhook call. */
export interface Reader {
	api: ApiClient;
	clock: Clock;
	connection: Connection;
	/** The options for reading the collection request with this ID, and its share. */
	options: (id: string) => CallOptions;
}

/**
 * Refused: the service does not return it any more, since that is forbidden (403) or it is missing
 * (404, 410). Fatal: the service refuses the key, or the execution was cancelled.
 */
function failed(error: unknown): Read {
	const status = error instanceof NodeApiError ? Number(error.httpCode) : undefined;
	const isFatal = status === undefined || isRefusal(status);
	if ([403, 404, 410].includes(status ?? 0)) return { ok: false, failure: 'refused', error };
	return { ok: false, failure: isFatal ? 'fatal' : 'temporary', error };
}

export const isRefused = (read: Read | undefined): boolean =>
	read?.ok === false && read.failure === 'refused';

/** The reads that failed in a way that may pass. */
export const failuresOf = (reading: Reading) =>
	[...reading.values()].filter((read) => !read.ok).filter((read) => read.failure !== 'refused');

/** What is known, with the statuses that were read. */
export const withRead = (known: Known, reading: Reading): Known =>
	learn(
		known,
		[...reading].map(([id, read]) => [id, read.ok ? [read.request.shareStatus] : []]),
	);

/**
 * How far a wait has come. It is over if enough collection requests have had an awaited status, or if
 * no other one can come, because the service refuses to return the rest.
 */
export function progressOf({ awaited, needed }: Goal, known: Known, reading: Reading) {
	const all = withRead(known, reading);
	const ids = idsOf(awaited);
	const unreached = ids.filter((id) => !isReached(awaited, all, id));
	const pending = unreached.filter((id) => !isRefused(reading.get(id)));
	const notYet = pending.filter((id) => reading.get(id)?.ok);
	const reached = ids.length - unreached.length;
	const stillPossible = reached + pending.length - notYet.length;
	return {
		isOver: reached >= needed || pending.length === 0,
		/** So many are certainly not there yet that no further read can show that it is over. */
		isWaiting: notYet.length > 0 && stillPossible < needed,
		/** Those that may still get there. */
		pending,
	};
}

/**
 * Reads collection requests, several at once. Before each read, it asks whether that one is still
 * needed after what was read so far. Never throws.
 */
export async function readEach(
	{ api, clock, options }: Reader,
	ids: string[],
	isNeeded: (id: string, soFar: Reading) => boolean = () => true,
): Promise<Reading> {
	const reading = new Map<string, Read>();
	await mapConcurrently(ids, CONCURRENCY, clock, async (id) => {
		if (!isNeeded(id, reading)) return;
		try {
			reading.set(id, { ok: true, request: await api.getCollectionRequest(id, options(id)) });
		} catch (error) {
			reading.set(id, failed(error));
		}
	});
	return reading;
}

/** A reading with what a later one has shown. After a temporary error, what was read before stays. */
export function merge(earlier: Reading, later: Reading): Reading {
	const isTemporary = (read: Read) => !read.ok && read.failure === 'temporary';
	const shown = [...later].filter(([id, read]) => !isTemporary(read) || !earlier.get(id)?.ok);
	return new Map([...earlier, ...shown]);
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
	const unread = ids.filter((id) => !reading.has(id));
	const rest = await readEach(reader, unread);
	const all = withRead(known, rest);
	const build = async (id: string): Promise<[string, IDataObject]> => {
		const read = rest.get(id) ?? reading.get(id);
		const request = read?.ok ? read.request : undefined;
		const share = includeShare ? await readShare(reader, request) : {};
		const item = {
			...requestItem(reader.connection.collectUrl, id, { ...request, ...share }),
			shareStatus: statusOf(awaited, known, id, request?.shareStatus),
			isReached: isReached(awaited, all, id),
			...(read?.ok === false ? { readError: messageOf(read.error) } : {}),
			notification: notification?.requestId === id ? notification : null,
			timedOut: false,
		};
		return [id, item];
	};
	const items = new Map(await mapConcurrently(ids, CONCURRENCY, reader.clock, build));
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

/** The status to put out: the one that was read, unless that lags behind what was known before. */
function statusOf(awaited: AwaitedItem[], known: Known, id: string, read?: string): string | null {
	const statuses = awaited.flatMap((one) => (one.requestId === id ? one.statuses : []));
	const isAwaited = (status: string) => hasStatus(statuses, status);
	const before = known.get(id) ?? [];
	const last = before[before.length - 1];
	const lastAwaited = before.filter(isAwaited).pop();
	if (read === undefined) return lastAwaited ?? last ?? null;
	const lags = read !== last && before.includes(read) && !isAwaited(read);
	return lags ? (lastAwaited ?? read) : read;
}

export const messageOf = (error: unknown) =>
	error instanceof Error ? error.message : 'The read did not succeed';
