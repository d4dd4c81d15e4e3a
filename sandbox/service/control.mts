import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { toCollectionRequest } from './collectionRequests.mts';
import { missing } from './errors.mts';
import type { Participation } from './participation.mts';
import type { Store, StoredRequest } from './store.mts';

type ById = { Params: { id: string } };

/** What programs ask for, under `/sandbox`; no authentication. */
export const control =
	(store: Store, participation: Participation): FastifyPluginCallbackTypebox =>
	(app) => {
		const requestOf = (id: string) => store.requests.get(id) ?? missing();

		/** Every collection request with everything that belongs to it, newest first. */
		app.get('/requests', (call) => statesOf(store, call));
		app.get<ById>('/requests/:id', (call) => toState(requestOf(call.params.id), call));

		/** Completes it, creating its share if necessary. */
		app.post<ById>('/requests/:id/complete', (call) => {
			participation.complete(requestOf(call.params.id));
			return {};
		});

		/** Lets somebody join who has not submitted yet. */
		const person = Type.Object({ name: Type.String(), email: Type.String() });
		app.post('/requests/:id/join', { schema: { body: person } }, (call) => {
			participation.join(requestOf((call.params as ById['Params']).id), call.body);
			return {};
		});

		/** Lets that many calls to the API fail. */
		const status = Type.Integer({ minimum: 400, maximum: 599 });
		const faults = Type.Object({ status, left: Type.Integer({ minimum: 0 }) });
		app.put('/faults', { schema: { body: faults } }, ({ body }) => (store.faults = body));

		const mode = Type.Object({ on: Type.Boolean() });
		app.put('/hard-mode', { schema: { body: mode } }, ({ body }) => {
			store.isHard = body.on;
			return body;
		});
	};

/** Every collection request, newest first. */
export const statesOf = (store: Store, call: FastifyRequest) =>
	[...store.requests.values()].reverse().map((request) => toState(request, call));

export type RequestState = ReturnType<typeof toState>;

/** Everything known about a collection request, except its webhook secret. */
function toState(request: StoredRequest, { host }: FastifyRequest) {
	const { webhookUrl: url, webhookIdentifier: identifier = null } = request.body;
	return {
		request: toCollectionRequest(request),
		share: request.share ?? null,
		guestLink: `http://${host}/request/${request.id}`,
		webhook: url ? { url, identifier } : null,
		participants: request.guests,
		deliveries: request.deliveries.map(({ delivery }) => delivery).reverse(),
	};
}
