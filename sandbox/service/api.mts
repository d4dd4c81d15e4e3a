import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { createHash, timingSafeEqual } from 'node:crypto';
import { recordCalls } from './calls.mts';
import { limits, toCollectionRequest } from './collectionRequests.mts';
import { CreateCollectionRequest } from './createBody.mts';
import { missing, refuse } from './errors.mts';
import { respondWithFaults } from './faultResponses.mts';
import { hardRequest, hardShare } from './hardMode.mts';
import { newId } from './store.mts';

/** The keys that the service accepts. Everybody knows them: the sandbox is for one machine. */
export const keys = { apiKey: 'sandbox-api-key', tokenId: 'sandbox-token-id' };

type ById = { Params: { id: string } };

/** The three endpoints of the service's API (Endpoints), for the prefix `/di`. */
export const api: FastifyPluginCallbackTypebox<{ recordSecrets: boolean }> = (
	app,
	{ recordSecrets },
) => {
	const { store } = app;
	recordCalls(app, recordSecrets);
	// This comes before reading the body or looking up an ID (Authentication).
	app.addHook('onRequest', ({ headers: { authorization = '', tokenid = '' } }, _reply, done) => {
		const isKeyRight = isSameText(authorization, `Bearer ${keys.apiKey}`);
		const isTokenRight = isSameText(String(tokenid), keys.tokenId);
		if (!isKeyRight || !isTokenRight) refuse('unauthorized', UNAUTHORIZED);
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

const digest = (given: string) => createHash('sha256').update(given).digest();

/** Compares two strings in constant time, whatever their lengths. */
const isSameText = (one: string, other: string) => timingSafeEqual(digest(one), digest(other));

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
