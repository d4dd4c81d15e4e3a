import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import type { CallOptions, CollectionRequest } from '../../../api/types';
import { aboutRequest } from '../../../guestLink';

/** How many collection requests are read at once, before the wait and for a notification. */
export const READS_AT_ONCE = 20;

/** What one input item waits for, as it was evaluated when the wait began. */
export interface Awaited {
	requestId: string;
	statuses: string[];
}

/** What the node keeps with a waiting execution; one entry for each input item, in their order. */
export interface WaitState {
	awaited: Awaited[];
	includeShare: boolean;
}

/** The collection request, with its share if wanted: null while none exists. */
export async function readWithShare(
	api: ApiClient,
	requestId: string,
	includeShare: boolean,
	options: CallOptions,
): Promise<CollectionRequest & IDataObject> {
	const found = await api.getCollectionRequest(requestId, options);
	if (!includeShare) return found;
	return { ...found, share: found.shareId ? await api.getShare(found.shareId, options) : null };
}

/** What comes out for an awaited collection request: as it is now, and what reported it, if any. */
export function awaitedItem(
	collectUrl: string,
	found: CollectionRequest & IDataObject,
	notification: IDataObject | null,
): IDataObject {
	const shareStatus = notification?.shareStatus ?? found.shareStatus;
	const item = aboutRequest(collectUrl, found._id, found);
	return { ...item, shareStatus, notification, timedOut: false };
}
