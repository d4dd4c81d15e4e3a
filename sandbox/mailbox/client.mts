import type { Mail } from './mails.mts';

/** The mails in a mailbox, newest first; with `to`, only those sent to that address. */
export async function readMails(url: string, to?: string): Promise<Mail[]> {
	const query = to === undefined ? '' : `?${new URLSearchParams({ to }).toString()}`;
	const response = await fetch(`${url}/api/mails${query}`, { signal: AbortSignal.timeout(10_000) });
	return (await response.json()) as Mail[];
}
