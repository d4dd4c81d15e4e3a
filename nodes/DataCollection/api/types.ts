import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Clock } from '../clock';
import type { Connection } from '../credential/connection';

/**
 * A collection request as the service sends it (Collection request). All fields but `_id` are
 * optional here and in the other resources, because the API leaves open which are always present;
 * unknown ones pass through.
 */
export interface CollectionRequest extends IDataObject {
	_id: string;
	shareId?: string | null;
	shareStatus?: string;
}

/** What the participants of a collection request have filled in (Share). */
export interface Share extends IDataObject {
	_id: string;
	collectionRequestId?: string;
	status?: string;
	participants?: IDataObject[];
	otherFields?: IDataObject[];
	template?: IDataObject;
}

/** Somebody invited when the collection request is created (Invited participant). */
export interface InvitedParticipant extends IDataObject {
	name?: string;
	email?: string;
	phoneNumber?: string;
	isAdmin?: boolean;
}

/** What a create sends, only the fields that were set (Create body). */
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

export interface CallOptions {
	/** Seconds until one attempt is given up. */
	timeout: number;
	/** Milliseconds since 1970 after which nothing is tried any more; 90 s from now unless set. */
	deadline?: number;
	/** The input item that an error names. */
	itemIndex?: number;
}

/** What the calls of one execution share. */
export interface Session {
	context: IExecuteFunctions | IWebhookFunctions;
	connection: Connection;
	clock: Clock;
	/** Milliseconds since 1970 before which nothing is sent: all items hold back after a 429. */
	resumeAt: number;
}

/** One HTTP request of the API, and how its errors call what it is about. */
export interface ApiCall extends CallOptions {
	method: 'GET' | 'POST';
	/** Below the API base URL. */
	path: string;
	body?: IDataObject;
	subject: 'collection request' | 'share';
	/** What a read asks for. */
	id?: string;
}
