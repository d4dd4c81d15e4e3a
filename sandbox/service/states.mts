import { shareStatusOf, toCollectionRequest, topicOf } from './collectionRequests.mts';
import { isSameEmail } from './emails.mts';
import type { Store } from './store.mts';
import { deliveriesOf } from './store.mts';
import type { StoredRequest } from './types.mts';
import { verdictOf } from './verdict.mts';

/** Where the guests of a collection request go, without the origin. */
export function guestPath({ environment, id }: StoredRequest): string {
	return `${environment.prefix}/request/${id}`;
}

/** Everything known of a collection request; never the webhook secret or a guest's token. */
export function toState(store: Store, request: StoredRequest, origin: string) {
	const { share, webhook, guests, id, environment } = request;
	return {
		environment: environment.name,
		request: toCollectionRequest(request),
		share: share ?? null,
		guestLink: `${origin}${guestPath(request)}`,
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

/** A collection request as the console shows it. */
export function toConsoleState(store: Store, request: StoredRequest, origin: string) {
	const { deliveries, guestLink, webhook, environment } = toState(store, request, origin);
	return {
		...toCollectionRequest(request),
		environment,
		topic: topicOf(request),
		status: statusOf(request),
		guestLink,
		webhookUrl: webhook?.url,
		people: peopleOf(request),
		answers: request.share?.otherFields ?? [],
		deliveries: deliveries.map((delivery) => ({ ...delivery, verdict: verdictOf(delivery) })),
	};
}

/**
 * Whether a collection request has every word of a search somewhere, in capitals or not. Its IDs are
 * for words of more than 5 characters: a number would be in many of them by chance.
 */
export function isFound(request: StoredRequest, search: string): boolean {
	const { id, share, identifier, templateId, environment, guests, invited } = request;
	const people = [...guests, ...invited].flatMap(({ name, email }) => [name, email]);
	const own = [identifier, templateId, environment.name, statusOf(request), ...people];
	const text = own.join('\n').toLowerCase();
	const hasId = (word: string) => word.length > 5 && `${id} ${share?._id ?? ''}`.includes(word);
	// A guest link may be pasted: its end is an ID.
	const words = search
		.toLowerCase()
		.replace(/\S+\/request\//g, '')
		.split(/\s+/);
	return words.every((word) => text.includes(word) || hasId(word));
}

function statusOf(request: StoredRequest): string {
	return request.share ? shareStatusOf(request) : 'no share yet';
}

function peopleOf(request: StoredRequest) {
	const joined = request.guests.map(({ name, email, isInvited, submittedAt }) => {
		return { name, email, isInvited, progress: submittedAt === null ? 'joined' : 'submitted' };
	});
	const waiting = request.invited
		.map(({ name = '', email = '' }) => ({ name, email, isInvited: true, progress: 'invited' }))
		.filter(({ email }) => !joined.some((person) => isSameEmail(person.email, email)));
	return [...joined, ...waiting];
}
