import type { IDataObject } from 'n8n-workflow';

import { guestLink } from './guestLink';

/** Only `_id` is required: the API does not say which fields are always present (Resources). */
export interface CollectionRequest extends IDataObject {
	_id: string;
	shareId?: string | null;
	shareStatus?: string;
}

/** A person who is invited when the collection request is created (Invited participant). */
export interface InvitedParticipant extends IDataObject {
	name?: string;
	email?: string;
	phoneNumber?: string;
	isAdmin?: boolean;
}

/** Only the fields that were set (Create body). */
export interface CreateCollectionRequest extends IDataObject {
	templateId?: string;
	childAccountId?: string;
	minimumParticipants?: number;
	maximumParticipants?: number;
	participantList?: InvitedParticipant[];
	webhookUrl?: string;
	webhookSecret?: string;
	webhookIdentifier?: string;
}

/** The request ID in a test notification, unless somebody enters a real ID. */
export const MADE_UP_ID = '7e577e577e577e577e577e57';

/** The fields as they came, after our own `requestId` and `guestLink`. */
export function requestItem<T extends IDataObject>(
	collectUrl: string,
	requestId: string,
	fields: T,
): T & { requestId: string; guestLink: string } {
	const own = { requestId, guestLink: guestLink(collectUrl, requestId) };
	return { ...own, ...fields, ...own };
}

/** As the service writes it: hexadecimal digits in lower case. */
export const canonicalId = (id: string): string =>
	/^[\da-f]{24}$/i.test(id) ? id.toLowerCase() : id;

/** Ignores case. */
export const hasStatus = (statuses: readonly string[], status: unknown): boolean =>
	typeof status === 'string' &&
	statuses.some((entry) => entry.toLowerCase() === status.toLowerCase());
