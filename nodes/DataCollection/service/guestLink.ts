import type { IDataObject } from 'n8n-workflow';

import { parseHttpUrl, pathSegment } from '../basics/url';

/** The request ID in a test notification, unless somebody enters a real ID. */
export const MADE_UP_ID = '7e577e577e577e577e577e57';

/** The page where participants fill in the form (Guest link). `collectUrl`: no trailing slash. */
export function guestLink(collectUrl: string, requestId: string): string {
	return `${collectUrl}/request/${pathSegment(requestId)}`;
}

/** Undefined for any text that is not a guest link. */
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

/** The fields as they came, after our own `requestId` and `guestLink`. */
export function requestItem<T extends IDataObject>(
	collectUrl: string,
	requestId: string,
	fields: T,
): T & { requestId: string; guestLink: string } {
	const own = { requestId, guestLink: guestLink(collectUrl, requestId) };
	return { ...own, ...fields, ...own };
}

/** As the service writes it: hexadecimal digits in lower case. */
export const canonicalId = (id: string): string =>
	/^[\da-f]{24}$/i.test(id) ? id.toLowerCase() : id;
