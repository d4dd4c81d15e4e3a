import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ApiClient } from '../api/client';
import { aboutRequest } from '../guestLink';
import { simplify } from '../api/share';

/** Options > Include. */
export const includeOption: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: [
		{
			name: 'Collection Request',
			value: 'collectionRequest',
			description: 'As it is when the notification arrives',
		},
		{
			name: 'Share',
			value: 'share',
			description: 'With the answers; null while none exists',
		},
	],
	default: [],
	description:
		'What to read and add to the item before the workflow starts. It takes up to 3 seconds; if it does not succeed, the item says so in includeError.',
};

/** Options > Simplify, for the share of Include. */
export const simplifyOption: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Seconds for all reads together: the service gives up a delivery after 5. */
const BUDGET = 3;

/** What Options > Include asks for, about which collection request. */
interface Wanted {
	wanted: readonly string[];
	requestId: string;
	/** Whether the share is simplified, as Share > Get does. */
	isSimplified: boolean;
	collectUrl: string;
	/** Milliseconds since 1970. */
	now: number;
}

/** What Options > Include adds to the item. */
interface Included extends IDataObject {
	collectionRequest?: IDataObject;
	/** Null while the service has created none. */
	share?: IDataObject | null;
	/** Why something that was wanted is missing. */
	includeError?: string;
}

/**
 * Reads what Options > Include asks for, within 3 seconds. A read that fails leaves its part out and
 * says why in `includeError`: the notification itself must not be lost.
 */
export async function readIncluded(
	api: ApiClient,
	{ wanted, requestId, isSimplified, collectUrl, now }: Wanted,
): Promise<Included> {
	const options = { timeout: BUDGET, deadline: now + BUDGET * 1000 };
	const included: Included = {};
	try {
		const found = await api.getCollectionRequest(requestId, options);
		if (wanted.includes('collectionRequest')) {
			included.collectionRequest = aboutRequest(collectUrl, found._id, found);
		}
		if (wanted.includes('share')) {
			const share = found.shareId ? await api.getShare(found.shareId, options) : null;
			const shown = share && (isSimplified ? simplify(share) : share);
			included.share = shown && aboutRequest(collectUrl, found._id, shown);
		}
	} catch (error) {
		included.includeError = error instanceof Error ? error.message : 'The read did not succeed';
	}
	return included;
}
