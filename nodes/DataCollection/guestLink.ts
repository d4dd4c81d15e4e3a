import type { IDataObject } from 'n8n-workflow';

/**
 * The address where participants fill in a collection request (Guest link). The collect URL has no
 * trailing slash; the request ID may hold any characters.
 */
export function guestLink(collectUrl: string, requestId: string): string {
	return `${collectUrl}/request/${pathSegment(requestId)}`;
}

/**
 * An item about a collection request: `requestId` first and `guestLink` second, whatever the service
 * sends under these names, then the fields as they came.
 */
export function aboutRequest<T extends IDataObject>(
	collectUrl: string,
	requestId: string,
	fields: T,
): T & { requestId: string; guestLink: string } {
	const own = { requestId, guestLink: guestLink(collectUrl, requestId) };
	return { ...own, ...fields, ...own };
}

/** An ID as one segment of a URL's path; half a character, which a URL cannot hold, is replaced. */
export function pathSegment(id: string): string {
	return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
