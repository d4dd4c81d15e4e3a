import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { Connection } from '../credential/connection';
import { isSignedBy } from './signature';

/** Far above any notification; larger bodies are refused before they are hashed. */
const MAXIMUM_BODY_BYTES = 1024 * 1024;

const PLAIN_DIGITS = /^[1-9]\d{0,18}$/;
const BYTE_ORDER_MARK = /^\uFEFF/;

/** The signed body of a delivery (Payload); unknown fields stay. */
export interface Notification extends IDataObject {
	event: string;
	requestId: string;
	shareStatus?: string | null;
	webhookIdentifier?: string | null;
}

/** One POST as it arrived; no body where n8n cannot give the raw bytes. */
export interface Delivery {
	body: Buffer | undefined;
	headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Verified {
	outcome: 'verified';
	notification: Notification;
	/** Identifies the notification: unlike the delivery ID, nobody can change it. */
	signature: string;
	/** `X-SVC-Delivery-Id`; unsigned, so it is information and not proof. */
	deliveryId: string | null;
}

export interface Refused {
	outcome: 'unverified' | 'malformed' | 'tooLarge';
	/** For n8n's log; the sender is told the outcome alone. */
	reason: string;
}

/**
 * Verifies a delivery (Signature) over its raw bytes and reads the notification from the same bytes.
 * The signed timestamp may differ from now by `maximumAge` seconds, before or after; 0 switches that
 * check off. Never throws for anything a sender can do.
 */
export function verifyDelivery(
	{ body, headers }: Delivery,
	{ verificationSecrets, sanitizer }: Pick<Connection, 'verificationSecrets' | 'sanitizer'>,
	maximumAge: number,
	now: Date,
): Verified | Refused {
	if (body === undefined) return unverified('the raw body is not available');
	if (body.length > MAXIMUM_BODY_BYTES) {
		return { outcome: 'tooLarge', reason: 'the body is larger than 1 MiB' };
	}

	const timestamp = headerOf(headers, 'x-svc-timestamp');
	if (timestamp === undefined) return unverified('X-SVC-Timestamp is missing');
	const signature = headerOf(headers, 'x-svc-signature');
	if (signature === undefined) return unverified('X-SVC-Signature is missing');

	const time = parseTimestamp(timestamp);
	if (time === undefined) return unverified('X-SVC-Timestamp is not a plain number');
	if (!isSignedBy(verificationSecrets, { timestamp, body, signature })) {
		return unverified('X-SVC-Signature does not match the body with any webhook secret');
	}
	if (!isFresh(time, now, maximumAge)) {
		return unverified(
			`the signed timestamp ${time.toISOString()} differs from now by more than the maximum age of ${maximumAge} s`,
		);
	}

	const notification = parseNotification(body, sanitizer);
	if (notification === undefined) {
		return { outcome: 'malformed', reason: 'the verified body is not a notification' };
	}
	const deliveryId = headerOf(headers, 'x-svc-delivery-id');
	return {
		outcome: 'verified',
		notification,
		signature,
		deliveryId: deliveryId === undefined ? null : sanitizer.text(deliveryId),
	};
}

const unverified = (reason: string): Refused => ({ outcome: 'unverified', reason });

/** The delivery as n8n hands it over; n8n reads the bytes of some content types only when asked to. */
export async function readDelivery(context: IWebhookFunctions): Promise<Delivery> {
	const request = context.getRequestObject();
	const { headers } = request;
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
	} catch {
		return { body: undefined, headers };
	}
	return { body: Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined, headers };
}

/** A header's single value; Node joins a repeated one with a comma, which then fails the checks. */
function headerOf(headers: Delivery['headers'], name: string): string | undefined {
	const value = headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Reads an `X-SVC-Timestamp`. The API shows digits and leaves their unit open, so the number of
 * digits decides: up to 11 seconds, 12-14 milliseconds, 15-17 microseconds, 18-19 nanoseconds.
 * Anything but plain digits without leading zeros is undefined.
 */
export function parseTimestamp(digits: string): Date | undefined {
	if (!PLAIN_DIGITS.test(digits)) return undefined;
	if (digits.length <= 11) return new Date(Number(digits) * 1000);
	if (digits.length <= 14) return new Date(Number(digits));
	if (digits.length <= 17) return new Date(Number(digits.slice(0, -3)));
	return new Date(Number(digits.slice(0, -6)));
}

/** Whether the time lies within `maximumAge` seconds of now, before or after; 0 switches it off. */
export function isFresh(time: Date, now: Date, maximumAge: number): boolean {
	if (maximumAge === 0) return true;
	return Math.abs(now.getTime() - time.getTime()) <= maximumAge * 1000;
}

/**
 * Reads the notification (Payload) from the very bytes whose signature was verified, never from a
 * body that somebody else parsed; undefined when it is not one.
 */
export function parseNotification(
	body: Buffer,
	sanitizer: Connection['sanitizer'],
): Notification | undefined {
	try {
		const parsed: unknown = JSON.parse(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
		if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
		const payload = sanitizer.copy(parsed as IDataObject);
		return isNotification(payload) ? payload : undefined;
	} catch {
		return undefined;
	}
}

/** Checks the fields that filters and links act on; the others are passed on as they came. */
function isNotification(payload: IDataObject): payload is Notification {
	const { event, requestId, shareStatus, webhookIdentifier } = payload;
	const isFilled = (value: unknown) => typeof value === 'string' && value !== '';
	const isTextOrAbsent = (value: unknown) => typeof (value ?? '') === 'string';
	return (
		isFilled(event) &&
		isFilled(requestId) &&
		isTextOrAbsent(shareStatus) &&
		isTextOrAbsent(webhookIdentifier)
	);
}

/** Whether a list of statuses has this one, without regard to case. */
export function includes(statuses: readonly string[], status: unknown): boolean {
	if (typeof status !== 'string') return false;
	return statuses.some((one) => one.toLowerCase() === status.toLowerCase());
}

/** The filled entries of a list field, trimmed; an expression may also give a single text. */
export function textsOf(value: unknown): string[] {
	return [value]
		.flat()
		.filter((entry) => typeof entry === 'string')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}
