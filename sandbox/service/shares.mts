import { ORGANISATION, templateOf } from './collectionRequests.mts';
import { newId } from './ids.mts';
import type { Guest, OtherField, Participant, Share, StoredRequest } from './types.mts';

/** A new open share with the organisation as its only participant. */
export function createShare(request: StoredRequest): Share {
	const now = new Date().toISOString();
	return {
		_id: newId(),
		deleteTime: null,
		schemaVersion: '1.0',
		participants: [organisation(request)],
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
export function addParticipant(share: Share, guest: Guest, phoneNumber: string | null): void {
	share.participants.push({
		account_id: guest.accountId,
		accountType: 'user',
		accountSnapshot: {
			_id: guest.accountId,
			name: guest.name,
			email: guest.email,
			phoneNumber,
			displayPictureUrl: null,
			parentAccountId: null,
		},
		roles: guest.isAdmin ? ['sharer', 'admin'] : ['sharer'],
	});
	logUpdate(share, 'Participant joined', guest);
}

/** Appends one participant's answers; labels repeat when several participants answer. */
export function addAnswers(share: Share, guest: Guest, fields: readonly OtherField[]): void {
	share.otherFields.push(...fields);
	logUpdate(share, 'Answers submitted', guest);
}

/** Sets the share to completed; without a guest it was the organisation that did it. */
export function completeShare(share: Share, guest?: Guest): void {
	share.status = 'completed';
	logUpdate(share, 'Share completed', guest);
}

function logUpdate(share: Share, remark: string, guest?: Guest): void {
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

function organisation({ accountId }: StoredRequest): Participant {
	return {
		account_id: accountId,
		accountType: 'organisation',
		accountSnapshot: {
			_id: accountId,
			name: ORGANISATION.name,
			email: null,
			phoneNumber: null,
			displayPictureUrl: null,
			parentAccountId: ORGANISATION.id,
		},
		roles: ['organiser'],
		parentAccount_id: ORGANISATION.id,
	};
}
