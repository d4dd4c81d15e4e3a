import { accountOf, ORGANISATION, templateOf } from './collectionRequests.mts';
import type { StoredGuest, StoredRequest } from './store.mts';
import { newId } from './store.mts';
import type { OtherField, Share } from './types.mts';

const nothingElse = { displayPictureUrl: null, parentAccountId: null };

/** A new open share whose only participant is the organisation. */
export function createShare(request: StoredRequest): Share {
	const now = new Date().toISOString();
	const _id = accountOf(request);
	const account = { _id, name: ORGANISATION.name, email: null, phoneNumber: null };
	return {
		_id: newId(),
		deleteTime: null,
		schemaVersion: '1.0',
		participants: [
			{
				account_id: _id,
				accountType: 'organisation',
				accountSnapshot: { ...account, ...nothingElse, parentAccountId: ORGANISATION.id },
				roles: ['organiser'],
				parentAccount_id: ORGANISATION.id,
			},
		],
		otherFields: [],
		template: { ...templateOf(request), type: 'form' },
		isQuotaLocked: false,
		status: 'open',
		agreements: [],
		updateLogs: [],
		isPublicJoin: false,
		collectionRequestId: request.id,
		createTime: now,
		lastUpdateTime: now,
		__v: 0,
	};
}

/** Adds a guest as a participant of the share and logs it. */
export function addParticipant(share: Share, guest: StoredGuest, phoneNumber: string | null): void {
	const { accountId, name, email, isAdmin } = guest;
	share.participants.push({
		account_id: accountId,
		accountType: 'user',
		accountSnapshot: { _id: accountId, name, email, phoneNumber, ...nothingElse },
		roles: isAdmin ? ['sharer', 'admin'] : ['sharer'],
	});
	logUpdate(share, 'Participant joined', guest);
}

/** Appends one participant's answers; labels repeat if several participants answer. */
export function addAnswers(share: Share, guest: StoredGuest, fields: OtherField[]): void {
	share.otherFields.push(...fields);
	logUpdate(share, 'Answers submitted', guest);
}

/** Sets the share to completed, by the guest or else by the organisation. */
export function completeShare(share: Share, guest?: StoredGuest): void {
	share.status = 'completed';
	logUpdate(share, 'Share completed', guest);
}

function logUpdate(share: Share, remark: string, guest?: StoredGuest): void {
	const updateTime = new Date().toISOString();
	share.updateLogs.push({
		remark,
		updatedByAccount_id: guest?.accountId ?? ORGANISATION.id,
		updatedByAccountType: guest ? 'user' : 'organisation',
		updatedByAccountSnapshot: { name: guest?.name ?? ORGANISATION.name },
		updateTime,
	});
	share.lastUpdateTime = updateTime;
	share.__v += 1;
}
