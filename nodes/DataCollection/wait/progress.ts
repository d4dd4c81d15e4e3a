import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { mapConcurrently } from '../basics/concurrency';
import { callError } from '../n8n/errors';
import { failureIn, isAnyRead } from '../requests/reading';
import type { Run } from '../requests/run';
import { requestItem } from '../service/guestLink';
import { hasStatus } from '../service/notification';
import type { FailureKind } from '../service/types';
import type { Reading, Wait } from './memory';
import type { MappedIds } from './pairing';

const CONCURRENCY = 50;

/** Seconds for one attempt to read. */
const TIMEOUT = 30;

/** Milliseconds that the first reads may take before the others begin as well. */
const PROBE_TIME = 2_000;

/** No read begins after the deadline, in milliseconds since 1970. */
export type Reader = Pick<Run, 'api' | 'connection'> & { deadline?: number };

const INCURABLE: FailureKind[] = ['forbidden', 'invalid', 'fatal'];

/** What is missing holds nobody up, if anything could be read. */
export function progressOf({ requestIds, needed, reached }: Wait, reading: Reading) {
	const failureOf = (id: string) => failureIn(reading.get(id));
	const isMissing = (id: string) => failureOf(id)?.kind === 'missing';
	const isBlind = requestIds.some(isMissing) && !isAnyRead([...reading.values()]);
	const missing = new Set(isBlind ? [] : requestIds.filter(isMissing));
	const pending = requestIds.filter((id) => !reached.has(id) && !missing.has(id));
	const open = pending.filter((id) => reading.get(id)?.ok);
	const possible = reached.size + pending.length;
	const enough = Math.min(needed, possible);
	return {
		isDone: reached.size >= enough,
		/** How many must have had an awaited status. */
		enough,
		/**
		 * How many pending ones may still be open before the wait cannot be over. Negative: it goes on.
		 */
		mayBeOpen: possible - open.length - enough,
		/** Whether nothing could be read: then a 404 proves nothing. */
		isBlind,
		missing,
		/** Those that may still get an awaited status. */
		pending,
		error: pending.map(failureOf).find((failure) => failure !== undefined),
	};
}

interface Reads {
	/** Whether its result still matters when its turn comes. */
	isNeeded?: (id: string) => boolean;
	onRead?: (id: string) => void;
}

/** Reads into `reading`, and notes in the wait which ones have an awaited status. */
export async function getEach(
	{ api, deadline }: Reader,
	wait: Wait,
	reading: Reading,
	ids: Iterable<string>,
	{ isNeeded = () => true, onRead = () => {} }: Reads = {},
): Promise<void> {
	await mapConcurrently(neededOf(ids, isNeeded), CONCURRENCY, async (id) => {
		if (!isNeeded(id)) return;
		const read = await api.getCollectionRequest(id, { timeout: TIMEOUT, deadline });
		reading.set(id, read);
		if (read.ok) noteStatus(wait, id, read.value.shareStatus);
		onRead(id);
	});
}

function* neededOf(ids: Iterable<string>, isNeeded: (id: string) => boolean) {
	for (const id of ids) if (isNeeded(id)) yield id;
}

/** Reads just enough to prove that the wait goes on (usually one), then the rest. */
export async function look(reader: Reader, wait: Wait): Promise<Reading> {
	const reading: Reading = new Map();
	let progress = progressOf(wait, reading);
	let unreached = 0;
	const isNeeded = (id: string) =>
		!wait.reached.has(id) && wait.reached.size < progress.enough && progress.mayBeOpen >= 0;
	// Computed anew only when the result may change: for many collection requests, it takes a while.
	const onRead = (id: string) => {
		if (!wait.reached.has(id)) unreached += 1;
		if (unreached > progress.mayBeOpen) [progress, unreached] = [progressOf(wait, reading), 0];
	};
	const read = async (ids: string[]) =>
		await getEach(reader, wait, reading, ids, { isNeeded, onRead });
	const { pending, mayBeOpen } = progress;
	// If all of these, usually one, are open, the others need not be read.
	const probes = read(pending.slice(0, mayBeOpen + 1));
	await Promise.race([probes, clock.timeout(PROBE_TIME)]);
	await Promise.all([probes, read(pending.slice(mayBeOpen + 1))]);
	// If anything that is done can be read, the rest is really missing.
	const isBlind = () => !isAnyRead([...reading.values()]);
	if (progressOf(wait, reading).isBlind) {
		await getEach(reader, wait, reading, wait.reached.keys(), { isNeeded: isBlind });
	}
	return reading;
}

/** A status counts once it was reported, whatever comes later. */
export function noteStatus({ statuses, reached }: Wait, id: string, status: unknown): void {
	if (hasStatus(statuses, status)) reached.set(id, String(status));
}

/**
 * Throws a failure that no wait can cure, or the first one if all are missing, with its input item.
 */
export function throwFatal(
	context: IExecuteFunctions,
	{ requestIds }: Pick<Wait, 'requestIds'>,
	reading: Reading,
	mappedIds: MappedIds,
): void {
	const failures = requestIds.map((id) => failureIn(reading.get(id)));
	const areAllMissing = failures.every((failure) => failure?.kind === 'missing');
	const kinds: FailureKind[] = areAllMissing ? ['missing'] : INCURABLE;
	const index = failures.findIndex((failure) => failure && kinds.includes(failure.kind));
	const failure = failures[index];
	if (failure === undefined) return;
	const itemIndex = mappedIds.indexOf(requestIds[index]);
	// No item is to blame for a key that is refused.
	if (failure.kind === 'fatal' || itemIndex < 0) throw callError(context.getNode(), failure);
	const description = `${failure.description} In the input, it is item ${itemIndex + 1}.`;
	throw callError(context.getNode(), { ...failure, description, itemIndex });
}

/** One item for each that is done or missing. If reading it fails, `readError` says why. */
export async function doneItems(
	reader: Reader,
	wait: Wait,
	reading: Reading,
	notification?: IDataObject,
): Promise<IDataObject[]> {
	const { requestIds, statuses, reached } = wait;
	const { missing } = progressOf(wait, reading);
	const ids = requestIds.filter((id) => reached.has(id) || missing.has(id));
	const unread = ids.filter((id) => !reading.get(id)?.ok && !missing.has(id));
	await getEach(reader, wait, reading, unread);
	return ids.map((id) => {
		const read = reading.get(id);
		const request: IDataObject = read?.ok ? read.value : {};
		const { shareStatus } = request;
		return {
			...requestItem(reader.connection.collectUrl, id, request),
			// A read may lag behind a notification, and the status may have changed again.
			shareStatus: hasStatus(statuses, shareStatus) ? shareStatus : (reached.get(id) ?? null),
			isReached: reached.has(id),
			...(read && !read.ok ? { readError: read.error.message } : {}),
			notification: notification?.requestId === id ? notification : null,
			timedOut: false,
		};
	});
}
