import type { RouteHandlerMethod } from 'fastify';
import { sendPage } from '../shared/http/pages.mts';
import { keys } from './api.mts';
import { shareStatusOf, toCollectionRequest, topicOf } from './collectionRequests.mts';
import { originOf, toState } from './control.mts';
import { hardMode } from './hardMode.mts';
import { ownChoices } from './ownChoices.mts';
import { isSameEmail } from './participation.mts';
import { newestRequests, type Store, type StoredRequest } from './store.mts';
import type { Delivery } from './types.mts';

/** How many collection requests and calls are shown: the newest. */
const SHOWN = 100;

/** The console page `/`: shows people what happens in the sandbox; its buttons use `control`. */
export const consolePage: RouteHandlerMethod = async function (call, reply) {
	const { store } = this;
	const newest = newestRequests(store).slice(0, SHOWN);
	return await sendPage(reply, 200, 'service/pages/console', {
		...{ keys, ownChoices, hardMode, origin: originOf(call) },
		...{ total: store.requests.size, isHard: store.isHard, faults: store.faults },
		requests: newest.map((request) => toRow(store, request, originOf(call))),
		calls: store.calls.slice(-SHOWN).reverse(),
	});
};

/** A collection request for the console. */
function toRow(store: Store, request: StoredRequest, origin: string) {
	const { deliveries, guestLink, webhook } = toState(store, request, origin);
	return {
		...toCollectionRequest(request),
		heading: topicOf(request) ?? `Template ${request.body.templateId}`,
		status: statusOf(request),
		guestLink,
		webhookUrl: webhook?.url,
		people: peopleOf(request),
		answers: request.share?.otherFields ?? [],
		deliveries: deliveries.map((delivery) => ({ ...delivery, verdict: verdictOf(delivery) })),
	};
}

const statusOf = (request: StoredRequest) =>
	request.share ? shareStatusOf(request) : 'no share yet';

function peopleOf({ guests, body }: StoredRequest) {
	const joined = guests.map(({ name, email, isInvited, submittedAt }) => {
		return { name, email, isInvited, progress: submittedAt === null ? 'joined' : 'submitted' };
	});
	const waiting = (body.participantList ?? [])
		.map(({ name = '', email = '' }) => ({ name, email, isInvited: true, progress: 'invited' }))
		.filter(({ email }) => !joined.some((person) => isSameEmail(person.email, email)));
	return [...joined, ...waiting];
}

/** The usual causes of a response if the receiver is n8n. */
const causes: Readonly<Record<number, string>> = {
	401: 'The receiver refused the signature. Does the credential of the trigger have the webhook secret that this collection request was created with?',
	404: 'Nothing receives deliveries at this address. Is the workflow published? A test URL works only while the editor is listening, and only once.',
	409: 'The execution behind this address is not waiting yet, or is no longer waiting.',
	500: 'The receiver could not handle the delivery. Does the credential of the trigger have a webhook secret?',
};

/** The verdict on a delivery: a forged one should be refused, any other accepted. */
function verdictOf({ kind, statusCode, error, durationMs }: Delivery) {
	if (durationMs === null) return { badge: 'in progress', tone: '' };
	if (statusCode === null || error) return { badge: 'no response', tone: 'bad' };
	const isAccepted = statusCode >= 200 && statusCode < 300;
	const badge = String(statusCode);
	if (kind !== 'forged') {
		return isAccepted ? { badge, tone: 'good' } : { badge, tone: 'bad', text: causes[statusCode] };
	}
	if (statusCode === 401) return { badge: '401 as expected', tone: 'good' };
	const text = isAccepted
		? 'The receiver accepted a forged delivery: it does not verify the signature.'
		: 'The delivery was not accepted, but the receiver should have responded with 401.';
	return { badge, tone: 'bad', text };
}
