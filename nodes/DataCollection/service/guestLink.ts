import { parseHttpUrl, pathSegment } from '../basics/url';

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
