import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../basics/values';
import { guestLink } from './guestLink';
import { removeHarmfulFields } from './redact';

/** The only event that the API documents (Delivery). */
export const UPDATED = 'collection_request.updated';

const BYTE_ORDER_MARK = /^\uFEFF/;

/** The signed body of a delivery (Payload), including unknown fields. */
export interface Notification extends IDataObject {
	event: string;
	requestId: string;
	shareStatus?: string | null;
	webhookIdentifier?: string | null;
}

/** From the verified bytes, never from a parsed body. Undefined if it is not a notification. */
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

/** Checks the fields that filters and guest links use. The rest is passed on unchanged. */
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

export interface Verified {
	notification: Notification;
	/** Identifies the notification. Unlike the delivery ID, nobody can change it. */
	signature: string;
	/** `X-SVC-Delivery-Id`. It is unsigned, so it proves nothing. */
	deliveryId: string | null;
	/** The time in the body, in ISO 8601; null if it has none. */
	notifiedAt: string | null;
}

/** Our own fields first; unknown fields cannot replace them. */
export function notificationItem(
	{ notification, deliveryId, notifiedAt }: Verified,
	collectUrl: string,
): IDataObject {
	const { event, requestId, shareStatus, webhookIdentifier, timestamp, ...unknown } = notification;
	const own = {
		event,
		requestId,
		guestLink: guestLink(collectUrl, requestId),
		shareStatus,
		webhookIdentifier,
		timestamp,
		notifiedAt,
		deliveryId,
	};
	return { ...own, ...unknown, ...own };
}
