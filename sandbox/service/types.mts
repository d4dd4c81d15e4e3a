/** A participant in a share (Participant). */
export interface Participant {
	account_id: string;
	accountType: string;
	accountSnapshot: {
		_id: string;
		name: string;
		email: string | null;
		phoneNumber: string | null;
		displayPictureUrl: string | null;
		parentAccountId: string | null;
	};
	roles: string[];
	/** Present only on the organisation. */
	parentAccount_id?: string;
}

/** An answer (Answer). */
interface OtherField {
	value: string;
	isMandatory: boolean;
	type: string;
	label: string;
}

/** A change of a share (Update log). */
interface UpdateLog {
	remark: string;
	updatedByAccount_id: string;
	updatedByAccountType: string;
	updatedByAccountSnapshot: { name: string };
	updateTime: string;
}

/** What the participants of a collection request have entered (Share). Times are ISO 8601. */
export interface Share {
	_id: string;
	deleteTime: null;
	schemaVersion: string;
	participants: Participant[];
	otherFields: OtherField[];
	template: { _id: string; purpose: string; type: string };
	isQuotaLocked: boolean;
	status: string;
	agreements: unknown[];
	updateLogs: UpdateLog[];
	isPublicJoin: boolean;
	collectionRequestId: string;
	createTime: string;
	lastUpdateTime: string;
	__v: number;
}

/** One POST of a notification, as the sandbox recorded it. */
export interface Delivery {
	/** The X-SVC-Delivery-Id that was sent; the same again in an exact replay. */
	deliveryId: string;
	/** unknown: a status or an event that nobody knows, in hard mode. */
	kind: 'notification' | 'redelivery' | 'unknown';
	event: string;
	/** Empty if none was sent. */
	shareStatus: string;
	/** null when no response has come. */
	statusCode: number | null;
	/** The first 200 characters of the response. */
	answer: string;
	/** What went wrong, in a sentence. */
	error: string | null;
}

/** Someone who has joined through the guest link. */
export interface Guest {
	accountId: string;
	name: string;
	email: string;
	hasSubmitted: boolean;
}
