import { createHmac, timingSafeEqual } from 'node:crypto';

import { clock } from '../basics/clock';
import { err, type Result } from '../basics/result';
import { parseNotification, type Verified } from './notification';
import type { WebhookSecrets } from './webhookSecrets';

type VerificationSecrets = Omit<WebhookSecrets, 'signing'>;

/** Far above any notification. Larger bodies are refused before they are hashed. */
const MAXIMUM_BODY_BYTES = 1024 * 1024;

/** One POST as it arrived. Without body if n8n cannot provide the raw bytes. */
export interface Delivery {
	body: Buffer | undefined;
	headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Refusal {
	outcome: 'notConfigured' | 'unverified' | 'malformed' | 'tooLarge';
	/** For n8n's log. The sender only learns the outcome. */
	reason: string;
}

/**
 * Verifies the signature of a delivery (Signature) over its raw bytes, and reads the notification
 * from the same bytes. The signed timestamp may be up to `maximumAge` seconds before or after now;
 * 0 switches that check off. Never throws, whatever a sender does.
 */
export function verifyDelivery(
	{ body, headers }: Delivery,
	{ verificationSecrets, verificationError, doubt }: VerificationSecrets,
	maximumAge: number,
): Result<Verified, Refusal> {
	if (verificationSecrets.length === 0 && verificationError !== undefined) {
		return err({ outcome: 'notConfigured', reason: verificationError.message });
	}
	if (body === undefined) return unverified('the raw body is not available');
	if (body.length > MAXIMUM_BODY_BYTES) {
		return err({ outcome: 'tooLarge', reason: 'the body is larger than 1 MiB' });
	}

	const timestamp = headerOf(headers, 'x-svc-timestamp');
	if (timestamp === undefined) return unverified('X-SVC-Timestamp is missing');
	const signature = headerOf(headers, 'x-svc-signature');
	if (signature === undefined) return unverified('X-SVC-Signature is missing');

	const time = parseTimestamp(timestamp);
	if (time === undefined) {
		return unverified('X-SVC-Timestamp is neither digits nor ISO 8601 in UTC');
	}
	if (!isSignedBy(verificationSecrets, { timestamp, body, signature })) {
		const mismatch = 'X-SVC-Signature does not match the body with any webhook secret';
		const cause = verificationError ?? doubt;
		return unverified(cause === undefined ? mismatch : `${mismatch}; ${cause.message}`);
	}
	if (!isFresh(time, maximumAge)) {
		return unverified(
			`the signed timestamp ${time.toISOString()} differs from now by more than Options > Maximum Age allows (${maximumAge} s)`,
		);
	}

	const notification = parseNotification(body);
	if (notification === undefined) {
		return err({ outcome: 'malformed', reason: 'the body is not a notification' });
	}
	const deliveryId = headerOf(headers, 'x-svc-delivery-id') ?? null;
	const notifiedAt = parseTimestamp(String(notification.timestamp))?.toISOString() ?? null;
	return { ok: true, value: { notification, signature, deliveryId, notifiedAt } };
}

const unverified = (reason: string) => err({ outcome: 'unverified', reason } as const);

/** The single value of a header. Node joins repeated ones with a comma, which fails the checks. */
function headerOf(headers: Delivery['headers'], name: string): string | undefined {
	const value = headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether the time is at most `maximumAge` seconds before or after now; 0 allows any time. */
const isFresh = (time: Date, maximumAge: number): boolean =>
	maximumAge === 0 || Math.abs(clock.now() - time.getTime()) <= maximumAge * 1000;

/**
 * Whether one of the secrets signed `<timestamp>.<body>` (Signature). This hashes the bytes of the
 * body as they arrived: if it decoded or serialised them, a different body could match. Callers
 * must also refuse a timestamp whose end its form does not show: it could hide bytes of the body.
 * Tries every secret and compares in constant time, so that the duration does not reveal how much of
 * a signature is right. An empty secret never matches. Never throws.
 */
export function isSignedBy(
	secrets: ReadonlyArray<Buffer | string>,
	{ timestamp, body, signature }: { timestamp: string; body: Buffer; signature: string },
): boolean {
	const received = Buffer.from(signature);
	let isMatch = false;
	for (const secret of secrets) {
		if (secret.length === 0) continue;
		const own = Buffer.from(sign(secret, timestamp, body));
		if (own.length === received.length && timingSafeEqual(own, received)) isMatch = true;
	}
	return isMatch;
}

/** The HMAC-SHA256 of `<timestamp>.<body>`, in lowercase hex (Signature). */
const sign = (secret: Buffer | string, timestamp: string, body: Buffer | string): string =>
	createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** All headers of a delivery, signed as the service signs (Webhook request, Signature). */
export function signedHeaders(
	secret: string,
	delivery: { body: string; timestamp: string; event: string; deliveryId: string },
) {
	const { body, timestamp, event, deliveryId } = delivery;
	return {
		'Content-Type': 'application/json',
		'X-SVC-Signature': sign(secret, timestamp, body),
		'X-SVC-Timestamp': timestamp,
		'X-SVC-Event': event,
		'X-SVC-Delivery-Id': deliveryId,
		'User-Agent': 'svc-webhooks/1.0',
	};
}

const PLAIN_DIGITS = /^[1-9]\d{0,18}$/;
/** Says UTC once, at its end, so that a dot in it cannot hide bytes of the body (Signature). */
const ISO_8601_IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;

/**
 * Parses an `X-SVC-Timestamp`: plain digits without leading zeros, or a time in ISO 8601 in UTC.
 * Undefined for anything else. The API shows digits (Payload), but of its header it only says that it
 * is a timestamp, and every other one is in ISO 8601 (Resources).
 */
export function parseTimestamp(text: string): Date | undefined {
	if (PLAIN_DIGITS.test(text)) return new Date(millisecondsOf(text));
	if (!ISO_8601_IN_UTC.test(text)) return undefined;
	const time = new Date(text);
	return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * The API does not say the unit, so the number of digits decides: up to 11 are seconds, 12-14
 * milliseconds, 15-17 microseconds, 18-19 nanoseconds.
 */
function millisecondsOf(digits: string): number {
	if (digits.length <= 11) return Number(digits) * 1000;
	if (digits.length <= 14) return Number(digits);
	return Number(digits.slice(0, digits.length <= 17 ? -3 : -6));
}
