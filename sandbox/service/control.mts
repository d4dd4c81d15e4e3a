import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { guestPath, toCollectionRequest } from './collectionRequests.mts';
import { missing, refuse } from './errors.mts';
import { Faults } from './faults.mts';
import type { Person } from './guestInput.mts';
import { newestRequests, type Store, type StoredRequest } from './store.mts';
import type { RequestState } from './types.mts';

type ById = { Params: { id: string } };

/** What the console's buttons and programs ask for, under `/sandbox`; no authentication. */
export const control: FastifyPluginCallbackTypebox = (app) => {
	const { store, notifier, participation } = app;
	const requestOf = (id: string) => store.requests.get(id) ?? missing();

	/** Every collection request with everything that belongs to it, newest first. */
	app.get('/requests', (call) =>
		newestRequests(store).map((request) => toState(store, request, originOf(call))),
	);
	app.get<ById>('/requests/:id', (call) =>
		toState(store, requestOf(call.params.id), originOf(call)),
	);

	/** Completes it, creating its share if necessary. */
	app.post<ById>('/requests/:id/complete', (call) => {
		const request = requestOf(call.params.id);
		participation.complete(request);
		return toState(store, request, originOf(call));
	});

	/** Lets somebody join who has not submitted yet. */
	const person = Type.Object({ name: Type.String(), email: Type.String() });
	const join = { schema: { body: person } };
	app.post<ById & { Body: Person }>('/requests/:id/join', join, (call) => {
		const request = requestOf(call.params.id);
		participation.join(request, call.body);
		return toState(store, request, originOf(call));
	});

	/** Sends a notification signed with a wrong secret. */
	app.post<ById>(
		'/requests/:id/forge',
		async ({ params }) => (await notifier.forge(requestOf(params.id))) ?? notSendable(),
	);

	/** Sends a delivery again, with a new signature or, if `exact`, the very same bytes and headers. */
	const again = { schema: { body: Type.Object({ exact: Type.Optional(Type.Boolean()) }) } };
	app.post<ById & { Body: { exact?: boolean } }>(
		'/deliveries/:id/redeliver',
		again,
		async ({ params, body: { exact = false } }) => {
			const stored = store.deliveries.find(({ delivery: { id } }) => id === params.id);
			return (await notifier.redeliver(stored ?? missing(), exact)) ?? notSendable();
		},
	);

	/** The calls to /di/…, in order. */
	app.get('/calls', () => store.calls);

	/** Makes the API slow or fail; what is left out goes right again. */
	app.put('/faults', { schema: { body: Faults } }, ({ body }) => (store.faults = body));

	app.get('/hard-mode', () => ({ on: store.isHard }));
	const mode = { schema: { body: Type.Object({ on: Type.Boolean() }) } };
	app.put('/hard-mode', mode, ({ body }) => ({ on: (store.isHard = body.on) }));

	/** Clears everything, and turns faults and hard mode off. */
	app.delete('/', () => {
		const { requests, deliveries, calls } = store;
		const known = requests.size;
		requests.clear();
		store.faults = {};
		store.isHard = false;
		return {
			requests: known,
			deliveries: deliveries.splice(0).length,
			calls: calls.splice(0).length,
		};
	});
};

/** Everything known about a collection request, except its webhook secret. */
export function toState(store: Store, request: StoredRequest, origin: string): RequestState {
	const { share, body, guests, id } = request;
	const { webhookUrl: url, webhookIdentifier: identifier = null } = body;
	const ofRequest = store.deliveries.filter(({ delivery }) => delivery.requestId === id);
	return {
		request: toCollectionRequest(request),
		share: share ?? null,
		guestLink: `${origin}${guestPath(request)}`,
		webhook: url ? { url, identifier } : null,
		participants: guests.map(({ name, email, isInvited, isAdmin, joinedAt, submittedAt }) => {
			return { name, email, isInvited, isAdmin, joinedAt, submittedAt };
		}),
		deliveries: ofRequest.map(({ delivery }) => delivery).reverse(),
	};
}

/** The address at which the caller reached the sandbox, without a trailing slash. */
export const originOf = ({ host }: FastifyRequest) => `http://${host}`;

const notSendable = () => refuse('no_webhook', 'The collection request has no webhook URL.');
