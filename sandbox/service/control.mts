import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { toCollectionRequest } from './collectionRequests.mts';
import { missing, refuse } from './errors.mts';
import type { Notifier } from './notifier.mts';
import type { Participation } from './participation.mts';
import type { Store, StoredRequest } from './store.mts';

type ById = { Params: { id: string } };

/** What programs ask for, under `/sandbox`; no authentication. */
export const control =
	(store: Store, notifier: Notifier, participation: Participation): FastifyPluginCallbackTypebox =>
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

		/** Sends a notification signed with a wrong secret. */
		app.post<ById>(
			'/requests/:id/forge',
			async ({ params }) => (await notifier.forge(requestOf(params.id))) ?? notSendable(),
		);

		/** Sends a delivery again, with a new signature or, if `exact`, the very same bytes and headers. */
		const again = Type.Object({ exact: Type.Boolean() });
		app.post('/deliveries/:id/redeliver', { schema: { body: again } }, async (call) => {
			const { id } = call.params as ById['Params'];
			for (const request of store.requests.values()) {
				const stored = request.deliveries.find(({ delivery }) => delivery.id === id);
				if (stored) return await notifier.redeliver(request, stored, call.body.exact);
			}
			return missing();
		});

		app.get('/calls', () => store.calls);

		/** Lets that many calls to the API fail. */
		const status = Type.Integer({ minimum: 400, maximum: 599 });
		const faults = Type.Object({ status, left: Type.Integer({ minimum: 0 }) });
		app.put('/faults', { schema: { body: faults } }, ({ body }) => (store.faults = body));

		app.get('/hard-mode', () => ({ on: store.isHard }));
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

const notSendable = () => refuse(409, 'no_webhook', 'The collection request has no webhook URL.');
