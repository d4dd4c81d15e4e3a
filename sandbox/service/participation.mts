import { limits, shareStatusOf } from './collectionRequests.mts';
import { refuse } from './errors.mts';
import { toOtherFields, type Entered, type Person } from './guestInput.mts';
import type { Notifier } from './notifier.mts';
import { addAnswers, addParticipant, completeShare, createShare } from './shares.mts';
import type { StoredGuest, StoredRequest } from './store.mts';
import { newId } from './store.mts';
import type { Share } from './types.mts';

/** Why nobody can add anything any more; the first sentence is the heading. */
export const COMPLETED =
	'This request is already complete. Answers can no longer be added or changed.';
const FULL = 'All places are taken. The maximum number of people has already joined.';

export type Participation = ReturnType<typeof createParticipation>;

/** What people can do to a collection request; each new status sends a notification. */
export function createParticipation(notifier: Notifier) {
	/** Creates the share, and sends its `open` notification, when it is first needed. */
	function shareOf(request: StoredRequest): Share {
		if (request.share) return request.share;
		request.share = createShare(request);
		void notifier.notify(request);
		return request.share;
	}

	function complete(request: StoredRequest, guest?: StoredGuest): void {
		const share = shareOf(request);
		if (share.status === 'completed') return;
		completeShare(share, guest);
		void notifier.notify(request);
	}

	return {
		complete: (request: StoredRequest) => complete(request),

		/** A new guest, or the one with this email address; 409 if no place is left. */
		join(request: StoredRequest, person: Person): StoredGuest {
			const { guests, body } = request;
			const known = guests.find(({ email }) => isSameEmail(email, person.email));
			if (known) return known;
			if (shareStatusOf(request) === 'completed') refuse('completed', COMPLETED);
			const { participantList = [] } = body;
			const invited = participantList.find(({ email = '' }) => isSameEmail(email, person.email));
			if (guests.length >= limits(body).maximumParticipants) refuse('full', FULL);
			const guest = {
				accountId: newId(),
				...{ name: person.name, email: person.email },
				isInvited: invited !== undefined,
				isAdmin: invited?.isAdmin === true,
				joinedAt: new Date().toISOString(),
				submittedAt: null,
			};
			guests.push(guest);
			addParticipant(shareOf(request), guest, invited?.phoneNumber ?? null);
			return guest;
		},

		/** Submits the answers. A guest's first ones count. */
		submit(request: StoredRequest, guest: StoredGuest, answers: Entered['answers']): void {
			if (guest.submittedAt !== null) return;
			if (shareStatusOf(request) === 'completed') refuse('completed', COMPLETED);
			guest.submittedAt = new Date().toISOString();
			addAnswers(shareOf(request), guest, toOtherFields(answers));
			if (isEveryoneDone(request)) complete(request, guest);
		},
	};
}

/** Email addresses are compared regardless of case. */
export const isSameEmail = (one: string, other: string) =>
	one.toLowerCase() === other.toLowerCase();

function isEveryoneDone({ body, guests }: StoredRequest): boolean {
	const submitted = guests.filter(({ submittedAt }) => submittedAt !== null);
	const emails = new Set(submitted.map(({ email }) => email.toLowerCase()));
	const hasEveryInvited = [...invitedEmails(body)].every((email) => emails.has(email));
	return hasEveryInvited && submitted.length >= Math.max(1, limits(body).minimumParticipants);
}

/** The invited people whom the guest page can recognise. */
function invitedEmails({ participantList = [] }: StoredRequest['body']): Set<string> {
	const emails = participantList.map(({ email = '' }) => email.toLowerCase());
	return new Set(emails.filter((email) => email !== ''));
}
