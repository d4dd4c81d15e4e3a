import { randomBytes } from 'node:crypto';
import type { Json } from '../../../sandbox/n8n/types.mts';

/** Somebody by name and email address. */
export interface Person {
	name: string;
	email: string;
}

/** A body of a create that was accepted (Create body). */
export interface Created {
	templateId: string;
	childAccountId?: string;
	minimumParticipants?: number;
	maximumParticipants?: number;
	participantList?: Array<Partial<Person> & { phoneNumber?: string; isAdmin?: boolean }>;
	webhookUrl?: string;
	webhookSecret?: string;
	webhookIdentifier?: string;
}

/** The POST of a notification, and the response to it. */
export interface Sent {
	deliveryId: string;
	shareStatus: string;
	/** As `send` gives it; empty while none has come. */
	response: string;
}

/** A collection request with everything that belongs to it; the lists are oldest first. */
export interface Stored {
	id: string;
	body: Created;
	createTime: string;
	share?: ReturnType<typeof newShare>;
	deliveries: Sent[];
}

/** The questions of every form; the practice service asks the same. */
export const QUESTIONS = [
	{ label: 'Delivery address', isMandatory: true },
	{ label: 'Remarks', isMandatory: false },
];

/** What everything belongs to. */
const ORGANISATION = { id: 'a00000000000000000000001', name: 'Practice Organisation' };

const newId = () => randomBytes(12).toString('hex');

const now = () => new Date().toISOString();

/** Stores what was created. */
export const newRequest = (body: Created): Stored => {
	return { id: newId(), body, createTime: now(), deliveries: [] };
};

/** How many submissions complete it. */
export const neededOf = ({ body }: Stored) => Math.max(1, body.minimumParticipants ?? 1);

/** The collection request as the API gives it (Collection request). */
export function collectionRequestOf({ id, body, createTime, share }: Stored) {
	const { templateId, participantList = [], webhookIdentifier } = body;
	return {
		_id: id,
		account_id: body.childAccountId ?? ORGANISATION.id,
		title: webhookIdentifier ?? templateId,
		participantList: participantList.map(({ email = '' }) => ({ email })),
		minimumParticipants: body.minimumParticipants ?? 1,
		maximumParticipants: body.maximumParticipants ?? 100,
		shareStatus: share?.status ?? 'open',
		createTime,
		...(share && { shareId: share._id }),
		template: { _id: templateId, purpose: 'practice' },
	};
}

interface Account {
	_id: string;
	name: string | null;
	email?: string | null;
	phoneNumber?: string | null;
}

/** An element of `participants` (Participant). */
const participant = (accountType: string, roles: string[], account: Account) => {
	const nothing = { email: null, phoneNumber: null, displayPictureUrl: null };
	const accountSnapshot = { ...nothing, parentAccountId: null, ...account };
	return { account_id: account._id, accountType, accountSnapshot, roles };
};

/** The share of a collection request, with nobody but the organisation (Share). */
export function newShare({ id, body }: Stored) {
	const account = { _id: body.childAccountId ?? ORGANISATION.id, name: ORGANISATION.name };
	const organisation = {
		...participant('organisation', ['organiser'], account),
		parentAccount_id: ORGANISATION.id,
	};
	const participants: Array<ReturnType<typeof participant>> = [organisation];
	return {
		_id: newId(),
		deleteTime: null,
		schemaVersion: '1.0',
		participants,
		otherFields: [] as Json[],
		template: { _id: body.templateId, purpose: 'practice', type: 'form' },
		isQuotaLocked: false,
		status: 'open',
		agreements: [],
		updateLogs: [] as Json[],
		isPublicJoin: false,
		collectionRequestId: id,
		createTime: now(),
		lastUpdateTime: now(),
		__v: 0,
	};
}

type Share = ReturnType<typeof newShare>;

/** Adds somebody to a share, unless they are in it; returns their account. */
export function joined({ body }: Stored, share: Share, { name, email }: Person) {
	const known = share.participants.find(({ accountSnapshot }) => accountSnapshot.email === email);
	if (known !== undefined) return known.accountSnapshot;
	const invited = body.participantList?.find((person) => person.email === email);
	const roles = invited?.isAdmin ? ['admin', 'sharer'] : ['sharer'];
	const phoneNumber = invited?.phoneNumber ?? null;
	const added = participant('user', roles, { _id: newId(), name, email, phoneNumber });
	share.participants.push(added);
	return added.accountSnapshot;
}

/** Notes a change in a share, by somebody or else by the organisation (Update log). */
export function log(share: Share, remark: string, account?: Account): void {
	const { _id, name } = account ?? { _id: ORGANISATION.id, name: ORGANISATION.name };
	share.updateLogs.push({
		remark,
		updatedByAccount_id: _id,
		updatedByAccountType: account ? 'user' : 'organisation',
		updatedByAccountSnapshot: { name },
		updateTime: now(),
	});
	share.lastUpdateTime = now();
	share.__v += 1;
}
