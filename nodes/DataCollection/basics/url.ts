/** Undefined for anything but an absolute http(s) URL. */
export function parseHttpUrl(text: string): URL | undefined {
	try {
		const url = new URL(text);
		return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
	} catch {
		return undefined;
	}
}

/** Not `x.localhost`: DNS may lead it elsewhere. */
export const isLoopback = (host: string): boolean =>
	host === 'localhost' || /^127(\.\d+){3}$/.test(host) || host === '[::1]';

/** Whether the host is the machine that uses the URL, so that it leads no other machine here. */
export const isOwnMachine = (host: string): boolean =>
	isLoopback(host) || ['0.0.0.0', '[::]'].includes(host) || host.endsWith('.localhost');

export const isPrivate = (host: string): boolean =>
	isOwnMachine(host) ||
	/^(10\.\d+|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+){2}$/.test(host) ||
	/^\[f[cd][0-9a-f]{2}:|^\[fe[89ab][0-9a-f]:/.test(host);

/** Replaces lone surrogates, which a URL cannot contain. */
export function pathSegment(id: string): string {
	return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
