import { createHmac } from 'node:crypto';

// How a receiver must respond to a delivery, by docs/service-api.md (Delivery, Payload, Signature) and
// docs/trigger.md alone. Independent: it shares no code with the package.

/** What reached the receiver. Header names are in lower case; a repeated header is joined by commas. */
export interface Arrived {
	headers: Record<string, string>;
	body: Buffer;
}

type Verdict = 'accepted' | 'unverified' | 'malformed' | 'tooLarge';

const MAXIMUM_BYTES = 1024 * 1024;

const ISO_8601 = /^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]+)?Z$/;

/**
 * Of ISO 8601 in UTC, or by the number of digits: up to 11 seconds, 12-14 milliseconds, 15-17 micro-,
 * 18-19 nanoseconds.
 */
function millisecondsOf(timestamp: string): bigint | undefined {
	if (ISO_8601.test(timestamp)) {
		const milliseconds = Date.parse(timestamp);
		return Number.isNaN(milliseconds) ? undefined : BigInt(milliseconds);
	}
	if (!/^[1-9][0-9]{0,18}$/.test(timestamp) || timestamp.includes('\n')) return undefined;
	if (timestamp.length < 12) return BigInt(timestamp) * 1000n;
	if (timestamp.length < 15) return BigInt(timestamp);
	return BigInt(timestamp) / (timestamp.length < 18 ? 1000n : 1_000_000n);
}

function isNotification(body: Buffer): boolean {
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder('utf-8').decode(body));
	} catch {
		return false;
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const field = (name: string): unknown =>
		Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
	const isFilled = (name: string) => typeof field(name) === 'string' && field(name) !== '';
	const isTextOrNothing = (name: string) =>
		['string', 'undefined'].includes(typeof (field(name) ?? undefined));
	return (
		isFilled('event') &&
		isFilled('requestId') &&
		isTextOrNothing('shareStatus') &&
		isTextOrNothing('webhookIdentifier')
	);
}

/** Judges what arrived at a time in milliseconds; the maximum age is in seconds. */
export function judge(
	{ headers, body }: Arrived,
	secrets: string[],
	maximumAge: number,
	now: number,
): Verdict {
	if (body.length > MAXIMUM_BYTES) return 'tooLarge';
	const { 'x-svc-timestamp': timestamp = '', 'x-svc-signature': signature = '' } = headers;
	const time = millisecondsOf(timestamp);
	if (time === undefined) return 'unverified';
	const text = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
	const rightOnes = secrets.map((key) => createHmac('sha256', key).update(text).digest('hex'));
	if (!rightOnes.includes(signature)) return 'unverified';
	const age = BigInt(now) - time;
	const limit = BigInt(maximumAge * 1000);
	if (age > limit || age < -limit) return 'unverified';
	return isNotification(body) ? 'accepted' : 'malformed';
}
