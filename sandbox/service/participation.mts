import { randomBytes } from 'node:crypto';
import { limits, shareStatusOf } from './collectionRequests.mts';
import type { Answers, Person, Problems } from './guestInput.mts';
import { findProblems, toOtherFields } from './guestInput.mts';
import type { Notifier } from './notifier.mts';
import type { Share } from './schemas/api.mts';
import { addAnswers, addParticipant, completeShare, createShare } from './shares.mts';
import type { StoredGuest, StoredRequest } from './store.mts';
import { newId } from './store.mts';

export type Joined = { kind: 'joined'; guest: StoredGuest } | { kind: 'full' | 'completed' };

export type Submitted =
	| { kind: 'submitted' | 'completed' }
	| { kind: 'invalid'; problems: Problems };

export type Participation = ReturnType<typeof createParticipation>;

/** What people and tests can do to a request; every state change sends a notification. */
export function createParticipation(notifier: Notifier) {
	/** The share is created, and its `open` notification sent, when it is first needed. */
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

		join(request: StoredRequest, person: Person): Joined {
			const known = request.guests.find(({ email }) => isSameEmail(email, person.email));
			if (known) return { kind: 'joined', guest: known };
			if (shareStatusOf(request) === 'completed') return { kind: 'completed' };
			const { participantList = [] } = request.body;
			const invited = participantList.find(({ email = '' }) => isSameEmail(email, person.email));
			if (!invited && !hasRoom(request)) return { kind: 'full' };
			const guest = {
				token: randomBytes(24).toString('hex'),
				accountId: newId(),
				...person,
				isInvited: invited !== undefined,
				isAdmin: invited?.isAdmin === true,
				joinedAt: new Date().toISOString(),
				submittedAt: null,
			};
			request.guests.push(guest);
			addParticipant(shareOf(request), guest, invited?.phoneNumber ?? null);
			return { kind: 'joined', guest };
		},

		submit(request: StoredRequest, guest: StoredGuest, answers: Answers): Submitted {
			if (guest.submittedAt !== null) return { kind: 'submitted' };
			if (shareStatusOf(request) === 'completed') return { kind: 'completed' };
			const problems = findProblems(answers);
			if (problems.size > 0) return { kind: 'invalid', problems };
			guest.submittedAt = new Date().toISOString();
			addAnswers(shareOf(request), guest, toOtherFields(answers));
			if (isEveryoneDone(request)) complete(request, guest);
			return { kind: 'submitted' };
		},
	};
}

/** Email addresses are told apart without regard to case. */
export const isSameEmail = (one: string, other: string) =>
	one.toLowerCase() === other.toLowerCase();

/** Places of the invited stay reserved for them, so that uninvited people cannot block completion. */
function hasRoom({ body, guests }: StoredRequest): boolean {
	const uninvited = guests.filter(({ isInvited }) => !isInvited).length;
	return invitedEmails(body).size + uninvited < limits(body).maximumParticipants;
}

function isEveryoneDone({ body, guests }: StoredRequest): boolean {
	const submitted = guests.filter(({ submittedAt }) => submittedAt !== null);
	const emails = new Set(submitted.map(({ email }) => email.toLowerCase()));
	const hasEveryInvited = [...invitedEmails(body)].every((email) => emails.has(email));
	return hasEveryInvited && submitted.length >= Math.max(1, limits(body).minimumParticipants);
}

/** Those of the invited who can be recognised on the guest page. */
function invitedEmails({ participantList = [] }: StoredRequest['body']): Set<string> {
	const emails = participantList.map(({ email = '' }) => email.toLowerCase());
	return new Set(emails.filter((email) => email !== ''));
}
