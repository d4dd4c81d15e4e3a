/** The URL; a path that cannot be decoded becomes an unknown path like any other. */
export function decodableUrl({ url = '/' }: { url?: string }): string {
	try {
		decodeURIComponent(url);
		return url;
	} catch {
		return url.replaceAll('%', '%25');
	}
}
