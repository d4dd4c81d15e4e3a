import type { IDataObject } from 'n8n-workflow';

import type { Sanitizer } from './sanitize';
import type { Notification } from './types';

const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * Reads the notification (Events, Payload) from the very bytes whose signature was verified, never
 * from a body that somebody else parsed. Unknown fields stay; undefined when it is not one.
 */
export function parseNotification(body: Buffer, sanitizer: Sanitizer): Notification | undefined {
	try {
		const parsed: unknown = JSON.parse(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
		if (!isObject(parsed)) return undefined;
		const payload = sanitizer.copy(parsed);
		return isNotification(payload) ? payload : undefined;
	} catch {
		return undefined;
	}
}

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks the fields that filters and links act on; the others are passed on as they came. */
function isNotification(payload: IDataObject): payload is Notification {
	const { event, requestId, shareStatus, webhookIdentifier } = payload;
	return (
		isFilledText(event) &&
		isFilledText(requestId) &&
		isTextOrAbsent(shareStatus) &&
		isTextOrAbsent(webhookIdentifier)
	);
}

const isFilledText = (value: unknown) => typeof value === 'string' && value !== '';
const isTextOrAbsent = (value: unknown) =>
	value === undefined || value === null || typeof value === 'string';
