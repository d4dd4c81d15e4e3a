import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { Notification } from '../shared/types';

/** The value of Events that lets every event through. */
const ANY_EVENT = '*';

/**
 * Whether the trigger's Events and Filters let the notification start the workflow. The event is
 * the signed one of the body; an empty list lets everything through.
 */
export function passesFilters(this: IWebhookFunctions, notification: Notification): boolean {
	const events = listOf(this.getNodeParameter('events', []));
	const filters = this.getNodeParameter('filters', {}) as IDataObject;
	return (
		(events.includes(ANY_EVENT) || events.includes(notification.event)) &&
		allows(filters.shareStatuses, notification.shareStatus) &&
		allows(filters.requestIds, notification.requestId) &&
		allows(filters.webhookIdentifiers, notification.webhookIdentifier)
	);
}

function allows(wanted: unknown, value: string | null | undefined): boolean {
	const list = listOf(wanted);
	return list.length === 0 || (typeof value === 'string' && list.includes(value));
}

/** The filled entries of a list field; an expression may also give a single text. */
function listOf(value: unknown): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	return entries
		.filter((entry) => typeof entry === 'string')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}
