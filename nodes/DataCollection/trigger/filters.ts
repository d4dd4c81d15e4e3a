import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { textsOf } from '../shared/texts';
import type { Notification } from '../shared/types';

/** The value of Events that lets every event through. */
const ANY_EVENT = '*';

/**
 * Whether the trigger's Events and Filters let the notification start the workflow. The event is
 * the signed one of the body; an empty list lets everything through.
 */
export function passesFilters(this: IWebhookFunctions, notification: Notification): boolean {
	const events = textsOf(this.getNodeParameter('events', []));
	const filters = this.getNodeParameter('filters', {}) as IDataObject;
	return (
		(events.includes(ANY_EVENT) || events.includes(notification.event)) &&
		allows(filters.shareStatuses, notification.shareStatus) &&
		allows(filters.requestIds, notification.requestId) &&
		allows(filters.webhookIdentifiers, notification.webhookIdentifier)
	);
}

function allows(wanted: unknown, value: string | null | undefined): boolean {
	const list = textsOf(wanted);
	return list.length === 0 || (typeof value === 'string' && list.includes(value));
}
