import { shareStatusOf, toCollectionRequest } from './collectionRequests.mts';
import { isSameEmail } from './emails.mts';
import type { Store } from './store.mts';
import { deliveriesOf } from './store.mts';
import type { StoredRequest } from './types.mts';
import { verdictOf } from './verdict.mts';

/** Everything known of a request for the control endpoints; never the webhook secret or a token. */
export function toState(store: Store, request: StoredRequest, origin: string) {
	const { share, webhook, guests, id } = request;
	return {
		request: toCollectionRequest(request),
		share: share ?? null,
		guestLink: `${origin}/request/${id}`,
		webhook: webhook ? { url: webhook.url, identifier: webhook.identifier ?? null } : null,
		participants: guests.map(({ name, email, isInvited, isAdmin, joinedAt, submittedAt }) => ({
			name,
			email,
			isInvited,
			isAdmin,
			joinedAt,
			submittedAt,
		})),
		deliveries: deliveriesOf(store, id).map(({ delivery }) => delivery),
	};
}

/** One line of the console's participant list. */
export interface Person {
	name: string;
	email: string;
	progress: 'invited' | 'joined' | 'submitted';
	isInvited: boolean;
}

/** A request as the console page shows it. */
export function toConsoleState(store: Store, request: StoredRequest, origin: string) {
	const { deliveries, guestLink, webhook } = toState(store, request, origin);
	return {
		...toCollectionRequest(request),
		status: request.share ? shareStatusOf(request) : 'no share yet',
		guestLink,
		webhookIdentifier: request.identifier,
		webhookUrl: webhook?.url,
		people: peopleOf(request),
		answers: request.share?.otherFields ?? [],
		deliveries: deliveries.map((delivery) => ({ ...delivery, verdict: verdictOf(delivery) })),
	};
}

function peopleOf(request: StoredRequest): Person[] {
	const joined = request.guests.map(({ name, email, isInvited, submittedAt }): Person => {
		return { name, email, isInvited, progress: submittedAt === null ? 'joined' : 'submitted' };
	});
	const waiting = request.invited
		.map(({ name = '', email = '' }): Person => {
			return { name, email, isInvited: true, progress: 'invited' };
		})
		.filter(({ email }) => !joined.some((person) => isSameEmail(person.email, email)));
	return [...joined, ...waiting];
}
