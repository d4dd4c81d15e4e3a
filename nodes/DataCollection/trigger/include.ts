import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { Connection } from '../context/connection';
import { timing } from '../context/timing';
import { apiRequest } from '../context/transport';
import { withGuestLink } from '../shared/guestLink';
import type { CollectionRequest, Share } from '../shared/types';

/** Seconds for all reads together: the service gives up a delivery after 5. */
const BUDGET = 3;

/** What Options > Include adds to the item. */
interface Included extends IDataObject {
	collectionRequest?: IDataObject;
	/** Null while the service has created none. */
	share?: Share | null;
	/** Why something that was wanted is missing. */
	includeError?: string;
}

/**
 * Reads what Options > Include asks for. A read that fails leaves its part out and says why in
 * `includeError`: the notification itself must not be lost.
 */
export async function readIncluded(
	this: IWebhookFunctions,
	connection: Connection,
	requestId: string,
): Promise<Included> {
	const wanted = this.getNodeParameter('options.include', []) as string[];
	const included: Included = {};
	if (wanted.length === 0) return included;
	const deadline = timing.now() + BUDGET * 1000;
	const call = { request: 'read', connection, timeout: BUDGET, deadline } as const;
	try {
		const found = await apiRequest<CollectionRequest>(this, {
			...call,
			resource: 'collection-request',
			id: requestId,
		});
		if (wanted.includes('collectionRequest')) {
			included.collectionRequest = withGuestLink(connection.collectUrl, found);
		}
		if (wanted.includes('share')) {
			included.share = found.shareId
				? await apiRequest<Share>(this, { ...call, resource: 'share', id: found.shareId })
				: null;
		}
	} catch (error) {
		included.includeError = error instanceof Error ? error.message : 'The read did not succeed';
	}
	return included;
}
