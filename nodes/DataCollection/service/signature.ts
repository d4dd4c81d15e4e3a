import { createHmac, timingSafeEqual } from 'node:crypto';

import { clock } from '../basics/clock';
import { err, type Result } from '../basics/result';
import { parseNotification, type Verified } from './notification';
import type { WebhookSecrets } from './webhookSecrets';

type VerificationSecrets = Omit<WebhookSecrets, 'signingSecret'>;

/** Far above any notification. Larger bodies are refused before they are hashed. */
const MAXIMUM_BODY_BYTES = 1024 * 1024;

/** Without body if the raw bytes are not available. */
export interface Delivery {
	body: Buffer | undefined;
	headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Refusal {
	outcome: 'notConfigured' | 'unverified' | 'malformed' | 'tooLarge';
	/** For the log. The sender only learns the outcome. */
	reason: string;
}

/** Verifies and reads the raw bytes (Signature). `maximumAge` is in seconds. Never throws. */
export function verifyDelivery(
	{ body, headers }: Delivery,
	{ verificationSecrets, verificationError }: VerificationSecrets,
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
		const cause = verificationError && `; ${verificationError.message}`;
		return unverified(`${mismatch}${cause ?? ''}`);
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

/** Node joins repeated headers with a comma, which fails the checks. */
function headerOf(headers: Delivery['headers'], name: string): string | undefined {
	const value = headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

const isFresh = (time: Date, maximumAge: number): boolean =>
	maximumAge === 0 || Math.abs(clock.now() - time.getTime()) <= maximumAge * 1000;

/**
 * Whether one of the secrets signed the raw bytes: decoded ones may match another body (Signature).
 * Tries every secret and compares in constant time, so that the duration reveals nothing. The
 * caller must refuse a timestamp that could hide bytes of the body.
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

/** Lowercase hex (Signature). */
const sign = (secret: Buffer | string, timestamp: string, body: Buffer | string): string =>
	createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** As the service signs (Delivery, Signature). */
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
 * Undefined for anything but digits (Payload) and ISO 8601 in UTC, like other times (Resources).
 */
export function parseTimestamp(text: string): Date | undefined {
	if (PLAIN_DIGITS.test(text)) return new Date(millisecondsOf(text));
	if (!ISO_8601_IN_UTC.test(text)) return undefined;
	const time = new Date(text);
	return Number.isNaN(time.getTime()) ? undefined : time;
}

/** The API does not say the unit, so the number of digits decides. */
function millisecondsOf(digits: string): number {
	if (digits.length <= 11) return Number(digits) * 1000;
	if (digits.length <= 14) return Number(digits);
	return Number(digits.slice(0, digits.length <= 17 ? -3 : -6));
}
