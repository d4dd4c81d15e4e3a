import type { IDataObject } from 'n8n-workflow';

import { shareOf } from '../../../api/share';
import { mapConcurrently } from '../../../concurrency';
import { aboutRequest } from '../../../guestLink';
import { includes } from '../../../webhook/notification';
import type { Run } from '../../operation';

const READS_AT_ONCE = 20;

/**
 * Seconds for all reads together. Until the wait is stored, n8n refuses notifications, and the
 * service gives up on a delivery after 5 seconds.
 */
const READ_BUDGET = 3;

/** What one input item waits for, as evaluated when the wait began. */
export interface Awaited {
	requestId: string;
	statuses: string[];
}

/** What the node stores with a waiting execution: one entry per input item, in input order. */
export interface WaitState {
	awaited: Awaited[];
	includeShare: boolean;
}

/** The IDs of the awaited collection requests, each once even if several items name it. */
export const idsOf = (awaited: Awaited[]) => [...new Set(awaited.map((one) => one.requestId))];

/**
 * Reads each awaited collection request once. Also reads its share if that is wanted and the status
 * is an awaited one. If there is a notification, its status counts for its own collection request,
 * and reading stops at the first one without an awaited status. `items` has the output for each
 * entry, with only the ID if it could not be read. `isMissing` is true if at least one collection
 * request certainly has no awaited status yet.
 */
export async function readAwaited(
	{ api, clock, connection }: Pick<Run, 'api' | 'clock' | 'connection'>,
	{ awaited, includeShare }: WaitState,
	notification?: IDataObject,
) {
	const ids = idsOf(awaited);
	const found = new Map<string, IDataObject>();
	const failures: unknown[] = [];
	const deadline = clock.now() + READ_BUDGET * 1000;
	let isMissing = false;
	const read = async (id: string) => {
		const itemIndex = awaited.findIndex(({ requestId }) => requestId === id);
		const options = { timeout: READ_BUDGET, deadline, itemIndex };
		const current = await api.getCollectionRequest(id, options);
		const own = notification?.requestId === id ? notification : null;
		const shareStatus = own?.shareStatus || current.shareStatus;
		const isThere = awaited.every(
			({ requestId, statuses }) => requestId !== id || includes(statuses, shareStatus),
		);
		isMissing ||= !isThere;
		const share =
			includeShare && isThere ? { share: await shareOf(api, current, options) } : undefined;
		const item = aboutRequest(connection.collectUrl, current._id, { ...current, ...share });
		found.set(id, { ...item, shareStatus, notification: own, timedOut: false });
	};
	const work = async (index: number) => {
		if (isMissing && notification) return;
		await read(ids[index] ?? '').catch((error: unknown) => failures.push(error));
	};
	await mapConcurrently(ids.length, READS_AT_ONCE, work, async () => await clock.sleep(0));
	const items = awaited.map(({ requestId }) => ({ requestId, ...found.get(requestId) }));
	return { items, isMissing, failures };
}
