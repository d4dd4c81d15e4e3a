import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../basics/values';
import { guestLink } from './guestLink';
import { removeHarmfulFields } from './redact';

/** The only event that the API documents (Delivery). */
export const UPDATED = 'collection_request.updated';

const PLAIN_DIGITS = /^[1-9]\d{0,18}$/;
/** Says UTC once, at its end, so that a dot in it cannot hide bytes of the body (Signature). */
const ISO_8601_IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;
const BYTE_ORDER_MARK = /^\uFEFF/;

/** The signed body of a delivery (Payload), including unknown fields. */
export interface Notification extends IDataObject {
	event: string;
	requestId: string;
	shareStatus?: string | null;
	webhookIdentifier?: string | null;
}

/**
 * Reads the notification (Payload) from the same bytes whose signature was verified, never from a
 * body that n8n parsed. Its values are as they were signed: secrets are hidden only in what is put
 * out. Undefined if the body is not a notification.
 */
export function parseNotification(body: Buffer): Notification | undefined {
	try {
		const parsed: unknown = JSON.parse(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
		if (!isObject(parsed)) return undefined;
		const payload = removeHarmfulFields(parsed);
		return isNotification(payload) ? payload : undefined;
	} catch {
		return undefined;
	}
}

/** Checks the fields that filters and guest links use. The others are passed on unchanged. */
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

/** Builds a verified notification's item: our own fields first; unknown ones cannot replace them. */
export function notificationItem(
	notification: Notification,
	collectUrl: string,
	deliveryId: string | null,
): IDataObject {
	const { event, requestId, shareStatus, webhookIdentifier, timestamp, ...unknown } = notification;
	const own = {
		event,
		requestId,
		guestLink: guestLink(collectUrl, requestId),
		shareStatus,
		webhookIdentifier,
		timestamp,
		notifiedAt: parseTimestamp(String(timestamp))?.toISOString() ?? null,
		deliveryId,
	};
	return { ...own, ...unknown, ...own };
}

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

/** Whether a list of statuses includes this one, ignoring case. */
export const hasStatus = (statuses: readonly string[], status: unknown): boolean =>
	typeof status === 'string' && statuses.some((one) => one.toLowerCase() === status.toLowerCase());
