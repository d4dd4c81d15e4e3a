import { limits, ORGANISATION, shareStatusOf, toCollectionRequest } from './collectionRequests.mts';
import { refuse } from './errors.mts';
import { questions, type Entered } from './guestInput.mts';
import type { Notify } from './notifier.mts';
import { newId, type StoredRequest } from './store.mts';
import type { Guest, Share } from './types.mts';

/** Why nobody can add anything any more; the first sentence is the heading. */
export const COMPLETED =
	'This request is already complete. Answers can no longer be added or changed.';
const FULL = 'All places are taken. The maximum number of people has already joined.';

export type Participation = ReturnType<typeof createParticipation>;

/** What people can do to a collection request; each new status sends a notification. */
export function createParticipation(notify: Notify) {
	/** The share, which is created, and its `open` notification sent, when it is first needed. */
	function shareOf(request: StoredRequest): Share {
		if (request.share) return request.share;
		request.share = createShare(request);
		notify(request);
		return request.share;
	}

	/** Sets the share to completed, by the guest or else by the organisation. */
	function complete(request: StoredRequest, guest?: Guest): void {
		const share = shareOf(request);
		if (share.status === 'completed') return;
		share.status = 'completed';
		logUpdate(share, 'Share completed', guest);
		notify(request);
	}

	/** A new guest, or the one with this email address; 409 if no place is left. */
	function join(request: StoredRequest, { name = '', email = '' }: Entered): Guest {
		const { guests, body } = request;
		const isSame = (one: { email?: string }) => one.email?.toLowerCase() === email.toLowerCase();
		const known = guests.find(isSame);
		if (known) return known;
		if (shareStatusOf(request) === 'completed') refuse(409, 'completed', COMPLETED);
		if (guests.length >= limits(body).maximumParticipants) refuse(409, 'full', FULL);
		const guest = { accountId: newId(), name, email, hasSubmitted: false };
		const { phoneNumber = null, isAdmin = false } = body.participantList?.find(isSame) ?? {};
		guests.push(guest);
		const share = shareOf(request);
		share.participants.push({
			account_id: guest.accountId,
			accountType: 'user',
			accountSnapshot: { _id: guest.accountId, name, email, phoneNumber, ...nothingElse },
			roles: isAdmin ? ['sharer', 'admin'] : ['sharer'],
		});
		logUpdate(share, 'Participant joined', guest);
		return guest;
	}

	/** Joins and submits the answers. A guest's first ones count. */
	function submit(request: StoredRequest, entered: Entered): void {
		const guest = join(request, entered);
		if (guest.hasSubmitted) return;
		if (shareStatusOf(request) === 'completed') refuse(409, 'completed', COMPLETED);
		guest.hasSubmitted = true;
		const share = shareOf(request);
		// Labels repeat if several people answer.
		for (const { name, label, isMandatory } of questions) {
			share.otherFields.push({ value: entered[name] ?? '', isMandatory, type: 'text', label });
		}
		logUpdate(share, 'Answers submitted', guest);
		if (isEveryoneDone(request)) complete(request, guest);
	}

	return { complete: (request: StoredRequest) => complete(request), join, submit };
}

function isEveryoneDone({ body, guests }: StoredRequest): boolean {
	const submitted = guests.filter(({ hasSubmitted }) => hasSubmitted);
	const emails = submitted.map(({ email }) => email.toLowerCase());
	// The guest page cannot recognise invited people without an email address.
	const invited = (body.participantList ?? []).filter(({ email }) => email);
	const hasEveryInvited = invited.every(({ email = '' }) => emails.includes(email.toLowerCase()));
	return hasEveryInvited && submitted.length >= Math.max(1, limits(body).minimumParticipants);
}

const nothingElse = { displayPictureUrl: null, parentAccountId: null };

/** A new open share whose only participant is the organisation. */
function createShare(request: StoredRequest): Share {
	const now = new Date().toISOString();
	const { account_id: _id, template } = toCollectionRequest(request);
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
		template: { ...template, type: 'form' },
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
