import { pathSegment } from './address';

/**
 * The address where participants fill in a collection request: `{collect_url}/request/<requestId>`
 * (Endpoints, Guest link). The collect URL has no trailing slash.
 */
export function guestLink(collectUrl: string, requestId: string): string {
	return `${collectUrl}/request/${pathSegment(requestId)}`;
}
