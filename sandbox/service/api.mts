import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { limits, toCollectionRequest } from './collectionRequests.mts';
import { CreateCollectionRequest } from './createBody.mts';
import { missing, refuse } from './errors.mts';
import { respondWithFaults } from './faults.mts';
import { hardRequest, hardShare } from './hardMode.mts';
import { newId } from './store.mts';
import type { Call } from './types.mts';

/** The keys that the service accepts. Everybody knows them: the sandbox is for one machine. */
export const keys = { apiKey: 'sandbox-api-key', tokenId: 'sandbox-token-id' };

type ById = { Params: { id: string } };

/** The three endpoints of the service's API (Endpoints), for the prefix `/di`. */
export const api: FastifyPluginCallbackTypebox = (app) => {
	const { store } = app;
	app.addHook('onRequest', ({ method, originalUrl: url }, reply, done) => {
		const call: Call = { method, url, status: null };
		store.calls.push(call);
		reply.raw.once('finish', () => (call.status = reply.statusCode));
		done();
	});
	// This comes before reading the body or looking up an ID (Authentication).
	app.addHook('onRequest', ({ headers: { authorization, tokenid } }, _reply, done) => {
		const isKnown = authorization === `Bearer ${keys.apiKey}` && tokenid === keys.tokenId;
		if (!isKnown) refuse('unauthorized', UNAUTHORIZED);
		done();
	});
	respondWithFaults(app);
	// Set here as well, so that the hooks above run before it.
	app.setNotFoundHandler(missing);

	const schema = { body: CreateCollectionRequest };
	app.post('/collection-request/', { schema }, async ({ body }, reply) => {
		const contradiction = findContradiction(body);
		if (contradiction) refuse('invalid_body', contradiction);
		const createTime = new Date().toISOString();
		const request = { id: newId(), body, createTime, guests: [] };
		store.requests.set(request.id, request);
		return await reply.code(201).send({ _id: request.id });
	});

	app.get<ById>('/collection-request/:id', ({ params: { id } }) => {
		const whole = toCollectionRequest(store.requests.get(id) ?? missing());
		return store.isHard ? hardRequest(whole) : whole;
	});

	app.get<ById>('/share/:id', ({ params: { id } }) => {
		const shares = [...store.requests.values()].map(({ share }) => share);
		const whole = shares.find((share) => share?._id === id) ?? missing();
		return store.isHard ? hardShare(whole) : whole;
	});
};

const UNAUTHORIZED =
	'The API key or the token ID is missing or wrong. Send both: the header Authorization with the word Bearer and the API key, and the header tokenId.';

/** Describes a contradiction in a body that the schema has accepted, in one plain sentence. */
function findContradiction(body: CreateCollectionRequest): string | undefined {
	const { participantList = [], webhookUrl, webhookSecret } = body;
	const { minimumParticipants, maximumParticipants } = limits(body);
	if (minimumParticipants > maximumParticipants) {
		return 'minimumParticipants must not be above maximumParticipants.';
	}
	if (participantList.length > maximumParticipants) {
		return 'participantList must not be longer than maximumParticipants.';
	}
	if (webhookUrl === undefined) return undefined;
	if (!/^https?:\/\//i.test(webhookUrl) || !URL.canParse(webhookUrl)) {
		return 'webhookUrl must be an absolute http or https URL.';
	}
	return webhookSecret ? undefined : 'webhookUrl needs a webhookSecret to sign with.';
}
