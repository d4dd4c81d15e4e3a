import type { IDataObject } from 'n8n-workflow';

import { guestLink } from '../guestLink';
import type { Sanitizer } from '../sanitize';

/** The one event that the API shows (Events). */
export const UPDATED = 'collection_request.updated';

const PLAIN_DIGITS = /^[1-9]\d{0,18}$/;
const BYTE_ORDER_MARK = /^\uFEFF/;

/** The signed body of a delivery (Payload); unknown fields stay. */
export interface Notification extends IDataObject {
	event: string;
	requestId: string;
	shareStatus?: string | null;
	webhookIdentifier?: string | null;
}

/**
 * Reads the notification (Payload) from the very bytes whose signature was verified, never from a
 * body that somebody else parsed; undefined when it is not one.
 */
export function parseNotification(body: Buffer, sanitizer: Sanitizer): Notification | undefined {
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

/** The item of a verified notification: its own fields first, whatever comes under their names. */
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

/** Whether a list of statuses has this one, without regard to case. */
export const includes = (statuses: readonly string[], status: unknown): boolean =>
	typeof status === 'string' && statuses.some((one) => one.toLowerCase() === status.toLowerCase());

/** The filled entries of a list field, trimmed; an expression may also give a single text. */
export function textsOf(value: unknown): string[] {
	return [value]
		.flat()
		.filter((entry) => typeof entry === 'string')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}
