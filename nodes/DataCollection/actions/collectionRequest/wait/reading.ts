import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import { isRefusal } from '../../../api/retry';
import type { CallOptions, CollectionRequest } from '../../../api/types';
import type { Clock } from '../../../clock';
import { mapConcurrently } from '../../../concurrency';
import type { Connection } from '../../../credential/connection';
import { requestItem } from '../../../item';
import { hasStatus } from '../../../webhook/notification';
import type { Wait } from './state';

const CONCURRENCY = 20;

/** What reading needs, in an execution and in a webhook call. */
export interface Reader {
	api: ApiClient;
	clock: Clock;
	connection: Connection;
	options: CallOptions;
}

/** What reading has shown, by request ID: the collection request, or why it could not be read. */
export type Reading = ReadonlyMap<string, CollectionRequest | Error>;

const isRead = (read: unknown): read is CollectionRequest =>
	read !== undefined && !(read instanceof Error);

const statusOf = (read: unknown): number =>
	read instanceof NodeApiError ? Number(read.httpCode) : NaN;

/** Whether the service does not return it any more. */
const isMissing = (read: unknown) => [403, 404, 410].includes(statusOf(read));

/** Whether no wait can cure it: the service refuses the key, or the execution was cancelled. */
const isFatal = (read: unknown) =>
	read instanceof Error &&
	!isMissing(read) &&
	(!(read instanceof NodeApiError) || isRefusal(statusOf(read)));

/** The errors of reads that failed, but for those that are missing. */
export const errorsOf = (reading: Reading): Error[] =>
	[...reading.values()].filter((read) => read instanceof Error).filter((read) => !isMissing(read));

/**
 * How far a wait has come. It is over if enough collection requests are there, or if no other one can
 * come, because the service does not return the rest.
 */
export function progressOf({ requestIds, needed, reached }: Wait, reading: Reading) {
	const pending = requestIds.filter((id) => !reached.has(id) && !isMissing(reading.get(id)));
	const notYet = pending.filter((id) => isRead(reading.get(id)));
	return {
		isOver: reached.size >= needed || pending.length === 0,
		/** Whether further reads of those that may still get there can show that it is over. */
		mayBeOver: reached.size + pending.length - notYet.length >= needed || notYet.length === 0,
		/** Those that may still get there. */
		pending,
	};
}

/**
 * Reads collection requests, several at once, and notes in the wait which of them are there. Before
 * each read, it asks whether that one is still needed after what was read so far. Never throws.
 */
export async function readEach(
	{ api, clock, options }: Reader,
	wait: Wait,
	ids: string[],
	isNeeded: (id: string, soFar: Reading) => boolean = () => true,
): Promise<Reading> {
	const reading = new Map<string, CollectionRequest | Error>();
	await mapConcurrently(ids, CONCURRENCY, clock, async (id) => {
		if (!isNeeded(id, reading)) return;
		try {
			const request = await api.getCollectionRequest(id, options);
			reading.set(id, request);
			noteStatus(wait, id, request.shareStatus);
		} catch (error) {
			reading.set(id, error as Error);
		}
	});
	return reading;
}

/** Notes that a collection request has had an awaited status. It stays there, whatever comes later. */
export function noteStatus({ statuses, reached }: Wait, id: string, status: unknown): void {
	if (hasStatus(statuses, status)) reached.set(id, String(status));
}

/** Throws a failure that no wait can cure, or the first one if the service returns none of them. */
export function throwFatal({ requestIds }: Wait, reading: Reading): void {
	const reads = requestIds.map((id) => reading.get(id));
	const error = reads.find(isFatal) ?? (reads.every(isMissing) ? reads[0] : undefined);
	if (error instanceof Error) throw error;
}

/**
 * What comes out of a wait that is over: one item for each collection request that is there, or that
 * is missing. Reads what `reading` does not have. If that fails, `readError` says why.
 */
export async function doneItems(
	reader: Reader,
	wait: Wait,
	reading: Reading,
	notification?: IDataObject,
): Promise<IDataObject[]> {
	const { requestIds, statuses, reached } = wait;
	const ids = requestIds.filter((id) => reached.has(id) || isMissing(reading.get(id)));
	const unread = ids.filter((id) => !isRead(reading.get(id)) && !isMissing(reading.get(id)));
	const all = new Map([...reading, ...(await readEach(reader, wait, unread))]);
	return ids.map((id) => {
		const read = all.get(id);
		const request: IDataObject = isRead(read) ? read : {};
		const { shareStatus } = request;
		return {
			...requestItem(reader.connection.collectUrl, id, request),
			// A read may lag behind a notification, and the status may have changed again.
			shareStatus: hasStatus(statuses, shareStatus) ? shareStatus : (reached.get(id) ?? null),
			isReached: reached.has(id),
			...(read instanceof Error ? { readError: read.message } : {}),
			notification: notification?.requestId === id ? notification : null,
			timedOut: false,
		};
	});
}

/** What comes out when the limit ends the wait. Nobody knows what has happened since it began. */
export const timedOutItem = ({ collectUrl }: Connection, requestId: string): IDataObject =>
	requestItem(collectUrl, requestId, { timedOut: true });
