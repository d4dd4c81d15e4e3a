import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NOT_FOUND } from './errors.mts';
import { registerFaultControl } from './faultControl.mts';
import type { Notifier } from './notifier.mts';
import type { Participation } from './participation.mts';
import { ref } from './schemas/describe.mts';
import { toState } from './states.mts';
import type { Store } from './store.mts';
import { clearStore, newestRequests } from './store.mts';
import type { Delivery } from './types.mts';

interface ById {
	Params: { id: string };
}

interface Redeliver extends ById {
	Body: { exact?: boolean };
}

const describe = (summary: string, success: object, errors: object = {}) => ({
	tags: ['sandbox'],
	summary,
	response: { 200: success, ...errors },
});
const missing = { 404: { ...ref('Error'), description: 'There is nothing with this ID' } };
const listOf = (id: string) => ({ type: 'array', items: ref(id) });
const state = { ...ref('RequestState'), description: 'The collection request now' };
const delivery = { ...ref('Delivery'), description: 'The delivery, after it has ended' };
const noWebhook = {
	409: { ...ref('Error'), description: 'The collection request has no webhook URL' },
};

/** Control and inspection for tests and scripts, for the prefix `/sandbox`; no authentication. */
export function registerControl(
	app: FastifyInstance,
	store: Store,
	participation: Participation,
	notifier: Notifier,
): void {
	acceptEmptyJson(app);
	registerFaultControl(app, store.faults);

	app.get(
		'/requests',
		{ schema: describe('Collection requests, newest first', listOf('RequestState')) },
		(call) => newestRequests(store).map((request) => toState(store, request, originOf(call))),
	);

	const readSchema = describe('One collection request with all that belongs to it', state, missing);
	app.get<ById>('/requests/:id', { schema: readSchema }, async (call, reply) => {
		const request = store.requests.get(call.params.id);
		if (!request) return await reply.code(404).send(NOT_FOUND);
		return toState(store, request, originOf(call));
	});

	const completeSchema = describe('Complete it, creating its share if need be', state, missing);
	app.post<ById>('/requests/:id/complete', { schema: completeSchema }, async (call, reply) => {
		const request = store.requests.get(call.params.id);
		if (!request) return await reply.code(404).send(NOT_FOUND);
		participation.complete(request);
		return toState(store, request, originOf(call));
	});

	const notSent = { ...missing, ...noWebhook };
	const forgeSchema = describe('Send a notification signed with a wrong secret', delivery, notSent);
	app.post<ById>('/requests/:id/forge', { schema: forgeSchema }, async ({ params }, reply) => {
		const request = store.requests.get(params.id);
		if (!request) return await reply.code(404).send(NOT_FOUND);
		return await sendDelivery(reply, await notifier.forge(request));
	});

	const redeliverSchema = {
		...describe('Send a delivery again, signed anew or exactly as it was', delivery, notSent),
		body: {
			type: 'object',
			properties: { exact: { type: 'boolean', description: 'The very same bytes and headers' } },
		},
	};
	app.post<Redeliver>(
		'/deliveries/:id/redeliver',
		{ schema: redeliverSchema },
		async ({ params, body }, reply) => {
			const stored = store.deliveries.find((candidate) => candidate.delivery.id === params.id);
			if (!stored) return await reply.code(404).send(NOT_FOUND);
			const sent = body.exact ? notifier.replay(stored) : notifier.redeliver(stored);
			return await sendDelivery(reply, await sent);
		},
	);

	const callsSchema = describe('The last 20,000 calls to /di/…, in order', listOf('Call'));
	app.get('/calls', { schema: callsSchema }, () => store.calls);

	app.delete('/', { schema: describe('Clear everything', ref('Cleared')) }, () => {
		const { requests, deliveries, calls } = store;
		const cleared = {
			requests: requests.size,
			deliveries: deliveries.length,
			calls: calls.length,
		};
		clearStore(store);
		return cleared;
	});
}

async function sendDelivery(reply: FastifyReply, sent: Delivery | undefined) {
	if (sent) return await reply.send(sent);
	const message = 'The collection request has no webhook URL.';
	return await reply.code(409).send({ code: 'no_webhook', message });
}

/** A POST without a body counts as `{}`, with and without a content type. */
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

/** The address the caller used to reach the sandbox, without a trailing slash. */
export function originOf({ host }: FastifyRequest): string {
	return `http://${host}`;
}
