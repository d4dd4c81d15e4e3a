import type { IDataObject } from 'n8n-workflow';

import { parseHttpUrl } from './url';

/** The request ID in a test notification, unless somebody enters another one. It is made up. */
export const MADE_UP_ID = '7e577e577e577e577e577e57';

/** The link where participants fill in the form (Guest link). `collectUrl`: no trailing slash. */
export function guestLink(collectUrl: string, requestId: string): string {
	return `${collectUrl}/request/${pathSegment(requestId)}`;
}

/** The request ID in a guest link, with or without a query; undefined for any other text. */
export function requestIdOfLink(collectUrl: string, link: string): string | undefined {
	const { origin, pathname } = parseHttpUrl(link) ?? { origin: '', pathname: '' };
	const prefix = `${collectUrl}/request/`;
	const [segment = ''] = `${origin}${pathname}`.slice(prefix.length).split('/');
	if (!`${origin}${pathname}`.startsWith(prefix) || segment === '') return undefined;
	try {
		return decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}

/**
 * An item about a collection request: `requestId` first and `guestLink` second, whatever the
 * service sends under these names, then the fields as they came.
 */
export function requestItem<T extends IDataObject>(
	collectUrl: string,
	requestId: string,
	fields: T,
): T & { requestId: string; guestLink: string } {
	const own = { requestId, guestLink: guestLink(collectUrl, requestId) };
	return { ...own, ...fields, ...own };
}

/** An ID as the service writes it, also if somebody has written its hexadecimal digits in capitals. */
export const canonicalId = (id: string): string =>
	/^[\da-f]{24}$/i.test(id) ? id.toLowerCase() : id;

/** An ID as one path segment of a URL. Replaces lone surrogates, which a URL cannot contain. */
export function pathSegment(id: string): string {
	return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
