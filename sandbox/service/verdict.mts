import type { Delivery } from './types.mts';

/** How the console judges a delivery: its badge, and what to do about it. */
export interface Verdict {
	badge: string;
	tone: 'good' | 'bad' | '';
	text?: string;
}

/** What usually is behind a response of a receiver that n8n is. */
const causes: Readonly<Record<number, string>> = {
	401: 'The receiver refused the signature. Does the credential of the trigger have the webhook secret with which this collection request was created?',
	404: 'Nothing takes deliveries at this address. Is the workflow published? A test URL works only while the editor listens, and only once.',
	409: 'The execution behind this address does not wait, or does not wait any more.',
	500: 'The receiver is not able to handle it. Does the credential of the trigger have a webhook secret?',
};

/** A forged delivery is good when it is refused, any other one when it is accepted. */
export function verdictOf({ kind, statusCode, error, durationMs }: Delivery): Verdict {
	if (durationMs === null) return { badge: 'under way', tone: '' };
	if (statusCode === null || error) return { badge: 'no response', tone: 'bad' };
	const isAccepted = statusCode >= 200 && statusCode < 300;
	if (kind !== 'forged') {
		const tone = isAccepted ? 'good' : 'bad';
		return { badge: String(statusCode), tone, text: isAccepted ? undefined : causes[statusCode] };
	}
	if (statusCode === 401) return { badge: '401 as expected', tone: 'good' };
	const text = isAccepted
		? 'The receiver accepted a forged delivery: it does not verify the signature.'
		: 'The delivery was not accepted, but 401 was expected.';
	return { badge: String(statusCode), tone: 'bad', text };
}
