import { type IDataObject, NodeApiError } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { mapConcurrently } from '../basics/concurrency';
import { err } from '../basics/result';
import { withMore } from '../n8n/items';
import type { Run } from '../requests/run';
import { isForbidden, isMissing, isRefused } from '../service/errors';
import { requestItem } from '../service/guestLink';
import { hasStatus } from '../service/notification';
import type { CollectionRequest } from '../service/types';
import type { Reading, Wait } from './known';
import type { MappedIds } from './pairing';

const CONCURRENCY = 50;

/** Seconds for one attempt to read. */
const TIMEOUT = 30;

/** Milliseconds that the first reads may take before the others begin as well. */
const PROBE_TIME = 2_000;

/** What reading needs. No read begins after the deadline, in milliseconds since 1970. */
export type Reader = Pick<Run, 'api' | 'connection'> & { deadline?: number };

const isRead = (read: unknown): read is CollectionRequest =>
	read !== undefined && !(read instanceof Error);

/** Whether no wait can cure it: the service refuses the key, or the execution was cancelled. */
const isFatal = (read: unknown) =>
	read instanceof NodeApiError ? isRefused(read) && !isMissing(read) : read instanceof Error;

/** How far a wait has come. What the service does not return any more holds nobody up. */
export function progressOf({ requestIds, needed, reached }: Wait, reading: Reading) {
	const reads = [...reading.values()];
	// If HTTP 403 is all that was read, the account or a firewall may be the reason.
	const isLockedOut = reads.some(isForbidden) && !reads.some(isRead);
	const isGone = (read: unknown) => isMissing(read) && !(isLockedOut && isForbidden(read));
	const gone = new Set(requestIds.filter((id) => isGone(reading.get(id))));
	const pending = requestIds.filter((id) => !reached.has(id) && !gone.has(id));
	const notYet = pending.filter((id) => isRead(reading.get(id)));
	const possible = reached.size + pending.length;
	const enough = Math.min(needed, possible);
	return {
		isDone: reached.size >= enough,
		/** How many more must get an awaited status. */
		lacking: enough - reached.size,
		/** How many more may turn out to be without an awaited status. Below 0, the wait surely goes on. */
		spare: possible - notYet.length - enough,
		isLockedOut,
		/** Those that the service does not return any more. */
		gone,
		/** Those that may still get an awaited status. */
		pending,
		/** Why one of them could not be read. */
		error: pending.map((id) => reading.get(id)).find((read) => read instanceof Error),
	};
}

/**
 * Reads collection requests, several at once, into `reading`, and notes in the wait which of them have
 * an awaited status. Before each read, it asks whether that one is still needed. Never throws.
 */
export async function getEach(
	{ api, deadline }: Reader,
	wait: Wait,
	reading: Reading,
	ids: string[],
	isNeeded: (id: string) => boolean = () => true,
): Promise<void> {
	await mapConcurrently(ids, CONCURRENCY, async (id) => {
		if (!isNeeded(id)) return;
		try {
			const request = await api.getCollectionRequest(id, { timeout: TIMEOUT, deadline });
			reading.set(id, request);
			noteStatus(wait, id, request.shareStatus);
		} catch (error) {
			reading.set(id, error as Error);
		}
	});
}

/** Reads what is missing, as long as that can show that the wait is over. */
export async function look(reader: Reader, wait: Wait): Promise<Reading> {
	const reading: Reading = new Map();
	const goesOn = goingOn(wait, reading);
	const isNeeded = (id: string) => goesOn() && !wait.reached.has(id);
	const read = async (ids: string[]) => await getEach(reader, wait, reading, ids, isNeeded);
	const { pending, spare } = progressOf(wait, reading);
	// If all of these, mostly one, turn out to be open, there is no need to read the others.
	const probes = read(pending.slice(0, spare + 1));
	await Promise.race([probes, clock.timeout(PROBE_TIME)]);
	await Promise.all([probes, read(pending.slice(spare + 1))]);
	// If those that are done cannot be read any more either, the account or a firewall is the reason.
	const isLockedOut = () => progressOf(wait, reading).isLockedOut;
	await getEach(reader, wait, reading, [...wait.reached.keys()], isLockedOut);
	return reading;
}

/** Whether reading on may decide. It is thought over when enough has been read that it may not. */
function goingOn(wait: Wait, reading: Reading): () => boolean {
	let before = { reads: 0, reached: 0, lacking: 0, spare: 0, isDone: false };
	return () => {
		const reached = wait.reached.size - before.reached;
		if (reached >= before.lacking || reading.size - before.reads - reached > before.spare) {
			const { lacking, spare, isDone } = progressOf(wait, reading);
			before = { reads: reading.size, reached: wait.reached.size, lacking, spare, isDone };
		}
		return !before.isDone && before.spare >= 0;
	};
}

/** Notes that a collection request has had an awaited status. That counts, whatever comes later. */
export function noteStatus({ statuses, reached }: Wait, id: string, status: unknown): void {
	if (hasStatus(statuses, status)) reached.set(id, String(status));
}

/**
 * Throws a failure that no wait can cure, or the first one if the service returns none of them. It
 * names the input item that maps to the collection request.
 */
export function throwFatal(
	{ context }: Run,
	{ requestIds }: Wait,
	reading: Reading,
	mappedIds: MappedIds,
): void {
	const reads = requestIds.map((id) => reading.get(id));
	const index = reads.every(isMissing) ? 0 : reads.findIndex(isFatal);
	const error = reads[index];
	if (!(error instanceof Error)) return;
	const itemIndex = mappedIds.indexOf(requestIds[index]);
	// Of a key that is refused, no item is to blame.
	const isOfItem = error instanceof NodeApiError && error.httpCode !== '401' && itemIndex >= 0;
	if (!isOfItem) throw error;
	throw withMore(context, { ...err(error), itemIndex }, [
		`In the input, it is item ${itemIndex + 1}.`,
	]);
}

/**
 * What a wait that is over outputs: one item for each collection request that is done, or that
 * is missing. Reads what `reading` does not have. If that fails, `readError` says why.
 */
export async function doneItems(
	reader: Reader,
	wait: Wait,
	reading: Reading,
	notification?: IDataObject,
): Promise<IDataObject[]> {
	const { requestIds, statuses, reached } = wait;
	const { gone } = progressOf(wait, reading);
	const ids = requestIds.filter((id) => reached.has(id) || gone.has(id));
	const unread = ids.filter((id) => !isRead(reading.get(id)) && !gone.has(id));
	await getEach(reader, wait, reading, unread);
	return ids.map((id) => {
		const read = reading.get(id);
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
