import type { IDataObject } from 'n8n-workflow';

import { pathSegment } from './address';

/**
 * The address where participants fill in a collection request: `{collect_url}/request/<requestId>`
 * (Endpoints, Guest link). The collect URL has no trailing slash.
 */
export function guestLink(collectUrl: string, requestId: string): string {
	return `${collectUrl}/request/${pathSegment(requestId)}`;
}

/** The collection request with its guest link behind the ID, whatever the service sends as one. */
export function withGuestLink<T extends IDataObject & { _id: string }>(
	collectUrl: string,
	found: T,
): T & { guestLink: string } {
	const first = { _id: found._id, guestLink: '' };
	return { ...first, ...found, guestLink: guestLink(collectUrl, found._id) };
}
