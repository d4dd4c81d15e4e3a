import type { IDataObject } from 'n8n-workflow';

/**
 * The service's resources as `interface.md` shows them. All fields but `_id` are optional here,
 * and unknown ones pass through, because the interface leaves open which are always present.
 */
export interface CollectionRequest extends IDataObject {
	_id: string;
	shareId?: string;
	shareStatus?: string;
}

/** Resources, Share. */
export interface Share extends IDataObject {
	_id: string;
	collectionRequestId?: string;
	status?: string;
	participants?: Participant[];
	otherFields?: OtherField[];
	template?: IDataObject;
}

/** Resources, Participant: somebody who has joined the share. */
export interface Participant extends IDataObject {
	accountType?: string;
	accountSnapshot?: IDataObject;
	roles?: string[];
}

/** Resources, OtherField: one answer. */
export interface OtherField extends IDataObject {
	label?: string;
	value?: string;
}

/** Resources, ParticipantDetails: somebody invited when the collection request is created. */
export interface ParticipantDetails extends IDataObject {
	name?: string;
	email?: string;
	phoneNumber?: string;
	isAdmin?: boolean;
}

/** Resources, Create-request body: only the fields that were set. */
export interface CreateCollectionRequest extends IDataObject {
	templateId?: string;
	childAccountId?: string;
	minimumParticipants?: number;
	maximumParticipants?: number;
	participantList?: ParticipantDetails[];
	webhookUrl?: string;
	webhookSecret?: string;
	webhookIdentifier?: string;
}

/** Events, Payload: the signed body of a delivery. */
export interface Notification extends IDataObject {
	event: string;
	requestId: string;
	shareStatus?: string | null;
	webhookIdentifier?: string | null;
}
