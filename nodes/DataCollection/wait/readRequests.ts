import type { IDataObject } from 'n8n-workflow';

import { clock, sleepUntil } from '../basics/clock';
import { mapConcurrently } from '../basics/concurrency';
import { cancelSignalOf } from '../n8n/executionData';
import { NEVER } from '../n8n/suspension';
import { hasStatus, requestItem } from '../service/collectionRequest';
import type { Run } from '../shared/operation';
import { isAnyRead } from '../shared/readItems';
import { assertCanPoll } from './expectedReports';
import type { MappedIds } from './pairing';
import { noteStatus, progressOf, throwIncurable } from './progress';
import type { Readings, Wait } from './waitState';

const CONCURRENCY = 50;

/** Seconds for one attempt to read. */
const TIMEOUT = 30;

/** Milliseconds that the first reads may take before the others begin as well. */
const PROBE_TIME = 2_000;

/** No read begins after the deadline, in milliseconds since 1970. */
export type Reader = Pick<Run, 'api' | 'connection'> & { deadline?: number };

interface Reads {
	/** Whether its result still matters when its turn comes. */
	isNeeded?: (id: string) => boolean;
	onRead?: (id: string) => void;
}

/** Reads into `reading`, and notes in the wait which ones have an awaited status. */
async function readInto(
	{ api, deadline }: Reader,
	wait: Wait,
	reading: Readings,
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
export async function readAtNotification(reader: Reader, wait: Wait): Promise<Readings> {
	const reading: Readings = new Map();
	let progress = progressOf(wait, reading);
	let withoutStatus = 0;
	const isNeeded = (id: string) =>
		!wait.reached.has(id) && wait.reached.size < progress.enough && progress.unreachedAllowed >= 0;
	// Computed anew only when the result may change: for many collection requests, it takes a while.
	const onRead = (id: string) => {
		if (!wait.reached.has(id)) withoutStatus += 1;
		if (withoutStatus > progress.unreachedAllowed)
			[progress, withoutStatus] = [progressOf(wait, reading), 0];
	};
	const read = async (ids: string[]) =>
		await readInto(reader, wait, reading, ids, { isNeeded, onRead });
	const { pending, unreachedAllowed } = progress;
	// If all of these, usually one, have no awaited status, the others need not be read.
	const probes = read(pending.slice(0, unreachedAllowed + 1));
	await Promise.race([probes, clock.timeout(PROBE_TIME)]);
	await Promise.all([probes, read(pending.slice(unreachedAllowed + 1))]);
	// If anything that is done can be read, the rest is really missing.
	const isNothingRead = () => !isAnyRead([...reading.values()]);
	if (progressOf(wait, reading).isNothingRead) {
		await readInto(reader, wait, reading, wait.reached.keys(), { isNeeded: isNothingRead });
	}
	return reading;
}

/** Milliseconds. If reading took longer, what had no awaited status is read once more. */
const RECENT = 1_000;

/** Milliseconds between two reads in a manual execution, and until the last one. */
const POLL_EVERY = 5_000;
const POLL_FOR = 10 * 60_000;

/**
 * Throws what no wait can cure. In a manual execution, reads every 5 seconds: step by step in the
 * editor, notifications go to another execution, the one in which Create ran.
 */
export async function readAll(run: Run, wait: Wait, mappedIds: MappedIds): Promise<Readings> {
	const { context } = run;
	const reading: Readings = new Map();
	const isDone = async () => {
		await readInto(run, wait, reading, progressOf(wait, reading).pending);
		throwIncurable(context, wait, reading, mappedIds);
		return progressOf(wait, reading).isDone;
	};
	const readAt = clock.now();
	if (await isDone()) return reading;
	if (context.getMode() !== 'manual') {
		if (clock.now() - readAt >= RECENT) await isDone();
		return reading;
	}
	if (wait.endsAt === NEVER) assertCanPoll(run, wait);
	const end = Math.min(clock.now() + POLL_FOR, wait.endsAt);
	while (clock.now() < end) {
		await sleepUntil(Math.min(clock.now() + POLL_EVERY, end), cancelSignalOf(context));
		if (await isDone()) return reading;
	}
	return reading;
}

/** One item for each that is done or missing. What could not be read is tried again; `readError` says why. */
export async function doneItems(
	reader: Reader,
	wait: Wait,
	reading: Readings,
	notification?: IDataObject,
): Promise<IDataObject[]> {
	const { requestIds, statuses, reached } = wait;
	const { missing } = progressOf(wait, reading);
	const ids = requestIds.filter((id) => reached.has(id) || missing.has(id));
	const unread = ids.filter((id) => !reading.get(id)?.ok && !missing.has(id));
	await readInto(reader, wait, reading, unread);
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
