import type { Environment } from './options.mts';

/** What the API takes and sends (Resources); timestamps are ISO 8601 in UTC. */

export type ShareStatus = 'open' | 'completed';

export interface Participant {
	account_id: string;
	accountType: 'organisation' | 'user';
	accountSnapshot: {
		_id: string;
		name: string;
		email: string | null;
		phoneNumber: string | null;
		displayPictureUrl: string | null;
		parentAccountId: string | null;
	};
	roles: Array<'organiser' | 'admin' | 'sharer'>;
	parentAccount_id?: string;
}

export interface OtherField {
	value: string;
	isMandatory: boolean;
	type: 'text';
	label: string;
}

export interface UpdateLog {
	remark: string;
	updatedByAccount_id: string;
	updatedByAccountType: string;
	updatedByAccountSnapshot: { name: string };
	updateTime: string;
}

export interface Share {
	_id: string;
	deleteTime: string | null;
	schemaVersion: string;
	participants: Participant[];
	otherFields: OtherField[];
	template: { _id: string; purpose: string; type: string };
	isQuotaLocked: boolean;
	status: ShareStatus;
	agreements: unknown[];
	updateLogs: UpdateLog[];
	isPublicJoin: boolean;
	collectionRequestId: string;
	createTime: string;
	lastUpdateTime: string;
	__v: number;
}

export interface ParticipantDetails {
	email?: string;
	phoneNumber?: string;
	name?: string;
	isAdmin?: boolean;
}

/** The body of a create call, after the JSON schema has accepted it. */
export interface CreateCollectionRequest {
	templateId: string;
	childAccountId?: string;
	minimumParticipants?: number;
	maximumParticipants?: number;
	participantList?: ParticipantDetails[];
	webhookUrl?: string;
	webhookSecret?: string;
	webhookIdentifier?: string;
}

/** What a notification says (Payload); `timestamp` is digits, here milliseconds. */
export interface Notification {
	event: string;
	requestId: string;
	shareStatus: string;
	webhookIdentifier?: string;
	timestamp: string;
}

/** A person who has opened the guest link and given a name; times are ISO 8601. */
export interface Guest {
	token: string;
	accountId: string;
	name: string;
	email: string;
	isInvited: boolean;
	isAdmin: boolean;
	joinedAt: string;
	submittedAt: string | null;
}

export interface Webhook {
	url: string;
	secret: string;
	identifier?: string;
}

/** A collection request as the sandbox keeps it; the webhook secret never leaves this record. */
export interface StoredRequest {
	id: string;
	environment: Environment;
	accountId: string;
	title: string;
	templateId: string;
	invited: ParticipantDetails[];
	minimumParticipants: number;
	maximumParticipants: number;
	createTime: string;
	/** What the client called it: its topic; in notifications only together with a webhook. */
	identifier?: string;
	webhook?: Webhook;
	guests: Guest[];
	share?: Share;
}

export type DeliveryKind = 'notification' | 'redelivery' | 'forged';

/** One POST of a notification; `durationMs` is null while it is under way. */
export interface Delivery {
	id: string;
	deliveryId: string;
	kind: DeliveryKind;
	requestId: string;
	event: string;
	shareStatus: string;
	url: string;
	sentAt: string;
	durationMs: number | null;
	statusCode: number | null;
	answer: string;
	error: string | null;
}

/** The very bytes and headers of a delivery, kept so that it can be replayed exactly. */
export interface StoredDelivery {
	delivery: Delivery;
	headers: Record<string, string>;
	body: Buffer;
}

/** A call to the API as it was received; `status` is null until the response. */
export interface Call {
	method: string;
	url: string;
	headers: Record<string, string | string[] | undefined>;
	body: unknown;
	status: number | null;
}
