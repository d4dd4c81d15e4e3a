import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type, type TSchema } from 'typebox';
import { guestPath, toCollectionRequest } from './collectionRequests.mts';
import { missing, refuse } from './errors.mts';
import { FaultSettings } from './faults.mts';
import type { Person } from './guestInput.mts';
import { HardMode } from './hardMode.mts';
import { ErrorBody } from './schemas/api.mts';
import { integer, optional, record, ref, text, truth } from './schemas/describe.mts';
import { Call, Delivery, RequestState } from './schemas/sandbox.mts';
import { newestRequests, type Store, type StoredRequest } from './store.mts';

type ById = { Params: { id: string } };

const describe = (summary: string, success: TSchema, errors: object = {}) => ({
	tags: ['sandbox'],
	summary,
	response: { 200: success, ...errors },
});
const missingId = { 404: ref(ErrorBody, 'Nothing has this ID') };
const notSent = { ...missingId, 409: ref(ErrorBody, 'The collection request has no webhook URL') };
const state = ref(RequestState, 'The current state of the collection request');
const delivery = ref(Delivery, 'The delivery, after it has ended');
const settings = ref(FaultSettings, 'The current settings');

/** Control and inspection for tests and scripts, under `/sandbox`; no authentication. */
export const control: FastifyPluginCallbackTypebox = (app) => {
	const { store, faults, notifier, participation } = app;
	const requestOf = (id: string) => store.requests.get(id) ?? missing();
	acceptEmptyJson(app);

	const all = describe('Collection requests, newest first', Type.Array(ref(RequestState)));
	app.get('/requests', { schema: all }, (call) =>
		newestRequests(store).map((request) => toState(store, request, originOf(call))),
	);

	const whole = 'One collection request with everything that belongs to it';
	app.get<ById>('/requests/:id', { schema: describe(whole, state, missingId) }, (call) =>
		toState(store, requestOf(call.params.id), originOf(call)),
	);

	const complete = describe('Complete it, creating its share if necessary', state, missingId);
	app.post<ById>('/requests/:id/complete', { schema: complete }, (call) => {
		const request = requestOf(call.params.id);
		participation.complete(request);
		return toState(store, request, originOf(call));
	});

	const join = {
		...describe('Let somebody join who has not submitted yet', state, missingId),
		body: record('The person', { name: text('Name'), email: text('Email address') }),
	};
	app.post<ById & { Body: Person }>('/requests/:id/join', { schema: join }, (call) => {
		const request = requestOf(call.params.id);
		participation.join(request, call.body);
		return toState(store, request, originOf(call));
	});

	const forge = describe('Send a notification signed with a wrong secret', delivery, notSent);
	app.post<ById>(
		'/requests/:id/forge',
		{ schema: forge },
		async ({ params }) => (await notifier.forge(requestOf(params.id))) ?? notSendable(),
	);

	const again = 'Send a delivery again, with a new signature or exactly as it was';
	const redeliver = {
		...describe(again, delivery, notSent),
		body: Type.Object(optional({ exact: truth('Exactly the same bytes and headers') })),
	};
	app.post<ById & { Body: { exact?: boolean } }>(
		'/deliveries/:id/redeliver',
		{ schema: redeliver },
		async ({ params, body: { exact = false } }) => {
			const stored = store.deliveries.find(({ delivery: { id } }) => id === params.id);
			return (await notifier.redeliver(stored ?? missing(), exact)) ?? notSendable();
		},
	);

	const calls = describe('The last 20,000 calls to /di/…, in order', Type.Array(ref(Call)));
	app.get('/calls', { schema: calls }, () => store.calls);

	const fault = describe('The fault that is applied to responses of the API', settings);
	app.get('/faults', { schema: fault }, faults.settings);

	const fail = 'Make responses of the API fail; settings that are left out are turned off';
	const setFaults = { ...describe(fail, settings), body: ref(FaultSettings) };
	app.put('/faults', { schema: setFaults }, ({ body }) => faults.set(body));

	const clearFaults = describe('Turn off all faults', settings);
	app.delete('/faults', { schema: clearFaults }, () => faults.set({}));

	const mode = ref(HardMode, 'Whether it is on');
	const getMode = describe('Whether hard mode is on', mode);
	app.get('/hard-mode', { schema: getMode }, () => ({ on: store.isHard }));

	const setMode = { ...describe('Turn hard mode on or off', mode), body: ref(HardMode) };
	app.put('/hard-mode', { schema: setMode }, ({ body }) => ({ on: (store.isHard = body.on) }));

	const cleared = record('How much was cleared', {
		requests: integer('Collection requests'),
		deliveries: integer('Deliveries'),
		calls: integer('Calls'),
	});
	app.delete('/', { schema: describe('Clear everything, and turn hard mode off', cleared) }, () => {
		const { requests, deliveries, calls } = store;
		const known = requests.size;
		requests.clear();
		faults.set({});
		store.isHard = false;
		return {
			requests: known,
			deliveries: deliveries.splice(0).length,
			calls: calls.splice(0).length,
		};
	});
};

/** Everything known about a collection request, except its webhook secret and guests' tokens. */
export function toState(store: Store, request: StoredRequest, origin: string): RequestState {
	const { share, body, guests, id, environment } = request;
	const { webhookUrl: url, webhookIdentifier: identifier = null } = body;
	const ofRequest = store.deliveries.filter(({ delivery }) => delivery.requestId === id);
	return {
		environment: environment.name,
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

const notSendable = () => refuse(409, 'no_webhook', 'The collection request has no webhook URL.');

/** Treats a POST without a body as `{}`, with or without a content type. */
function acceptEmptyJson(app: FastifyInstance): void {
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		if (body === '') done(null, {});
		else void app.getDefaultJsonParser('error', 'error')(request, String(body), done);
	});
	app.addHook('preValidation', (request, _reply, done) => {
		request.body ??= {};
		done();
	});
}
