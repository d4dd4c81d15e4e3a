import { invitedByEmail, shareStatusOf } from './collectionRequests.mts';
import { isSameEmail } from './emails.mts';
import { newId, newToken } from './ids.mts';
import type { Notifier } from './notifier.mts';
import type { Answers } from './questions.mts';
import { findProblems, toOtherFields } from './questions.mts';
import { addAnswers, addParticipant, completeShare, createShare } from './shares.mts';
import type { Guest, Share, StoredRequest } from './types.mts';

export interface Person {
	name: string;
	email: string;
}

export type Joined = { kind: 'joined'; guest: Guest } | { kind: 'full' } | { kind: 'completed' };

export type Submitted =
	| { kind: 'submitted' }
	| { kind: 'completed' }
	| { kind: 'invalid'; problems: ReadonlyMap<string, string> };

/** What people and tests can do to a request; every state change sends a notification. */
export interface Participation {
	join(request: StoredRequest, person: Person): Joined;
	submit(request: StoredRequest, guest: Guest, answers: Answers): Submitted;
	complete(request: StoredRequest): void;
}

export function createParticipation(notifier: Notifier): Participation {
	/** The share is created, and its `open` notification sent, when it is first needed. */
	function shareOf(request: StoredRequest): Share {
		if (request.share) return request.share;
		request.share = createShare(request);
		void notifier.notify(request);
		return request.share;
	}

	function complete(request: StoredRequest, guest?: Guest): void {
		const share = shareOf(request);
		if (share.status === 'completed') return;
		completeShare(share, guest);
		void notifier.notify(request);
	}

	return {
		join(request, person) {
			const known = request.guests.find(({ email }) => isSameEmail(email, person.email));
			if (known) return { kind: 'joined', guest: known };
			if (shareStatusOf(request) === 'completed') return { kind: 'completed' };
			const invitation = invitedByEmail(request).find((i) => isSameEmail(i.email, person.email));
			if (!invitation && !hasRoom(request)) return { kind: 'full' };
			const guest = createGuest(person, invitation !== undefined, invitation?.isAdmin === true);
			request.guests.push(guest);
			addParticipant(shareOf(request), guest, invitation?.phoneNumber ?? null);
			return { kind: 'joined', guest };
		},

		submit(request, guest, answers) {
			if (guest.submittedAt !== null) return { kind: 'submitted' };
			if (shareStatusOf(request) === 'completed') return { kind: 'completed' };
			const problems = findProblems(answers);
			if (problems.size > 0) return { kind: 'invalid', problems };
			guest.submittedAt = new Date().toISOString();
			addAnswers(shareOf(request), guest, toOtherFields(answers));
			if (isEveryoneDone(request)) complete(request, guest);
			return { kind: 'submitted' };
		},

		complete: (request) => complete(request),
	};
}

/** Places of the invited stay reserved for them, so that uninvited people cannot block completion. */
function hasRoom(request: StoredRequest): boolean {
	const reserved = invitedEmails(request).size;
	const uninvited = request.guests.filter(({ isInvited }) => !isInvited).length;
	return reserved + uninvited < request.maximumParticipants;
}

function isEveryoneDone(request: StoredRequest): boolean {
	const submitted = request.guests.filter(({ submittedAt }) => submittedAt !== null);
	const emails = new Set(submitted.map(({ email }) => email.toLowerCase()));
	const hasEveryInvited = [...invitedEmails(request)].every((email) => emails.has(email));
	return hasEveryInvited && submitted.length >= Math.max(1, request.minimumParticipants);
}

function invitedEmails(request: StoredRequest): Set<string> {
	return new Set(invitedByEmail(request).map(({ email }) => email.toLowerCase()));
}

function createGuest(person: Person, isInvited: boolean, isAdmin: boolean): Guest {
	return {
		token: newToken(),
		accountId: newId(),
		...person,
		isInvited,
		isAdmin,
		joinedAt: new Date().toISOString(),
		submittedAt: null,
	};
}
