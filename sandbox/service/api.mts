import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { createHash, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { recordCalls } from './calls.mts';
import { limits, toCollectionRequest } from './collectionRequests.mts';
import type { Environment } from './environments.mts';
import { missing, refuse } from './errors.mts';
import { respondWithFaults } from './faultResponses.mts';
import { hardRequest, hardShare } from './hardMode.mts';
import { CollectionRequest, CreateCollectionRequest, Created } from './schemas/api.mts';
import { ErrorBody, Share } from './schemas/api.mts';
import { OWN_CHOICE, ref, text } from './schemas/describe.mts';
import { findRequest, newId } from './store.mts';

const own = (description: string, what: string) => `${description}. ${OWN_CHOICE}: ${what}`;
const error = (description: string) => ref(ErrorBody, own(description, 'status code and shape'));
const refused = { 401: error('The API key or the token ID is missing or wrong') };
const missingId = { 404: error('Nothing has this ID') };
const describe = (operationId: string, summary: string) => {
	return { operationId, tags: ['service'], security: [{ apiKey: [], tokenId: [] }], summary };
};
const describeRead = <T,>(operationId: string, what: string, success: T) => ({
	...describe(operationId, `Read a ${what}`),
	params: Type.Object({ id: text(`${what} ID`) }),
	response: { 200: success, ...refused, ...missingId },
});

/** The three endpoints of an environment's API (Endpoints), for the prefix `/di`. */
export const api: FastifyPluginCallbackTypebox<{
	environment: Environment;
	recordSecrets: boolean;
}> = (app, { environment, recordSecrets }) => {
	const { store } = app;
	recordCalls(app, recordSecrets);
	// This comes before reading the body or looking up an ID (Authentication).
	app.addHook('onRequest', ({ headers: { authorization = '', tokenid = '' } }, _reply, done) => {
		const isKeyRight = isSameText(authorization, `Bearer ${environment.apiKey}`);
		const isTokenRight = isSameText(String(tokenid), environment.tokenId);
		if (!isKeyRight || !isTokenRight) refuse(401, 'unauthorized', UNAUTHORIZED);
		done();
	});
	respondWithFaults(app);
	// Set here as well, so that the hooks above run before it.
	app.setNotFoundHandler(missing);

	const schema = {
		...describe('createCollectionRequest', 'Create a collection request'),
		body: ref(CreateCollectionRequest),
		response: {
			201: ref(Created, own('The ID of the new one', 'the status code, and nothing but the ID')),
			400: error('The body is not accepted'),
			...refused,
		},
	};
	app.post('/collection-request/', { schema }, async ({ body }, reply) => {
		const contradiction = findContradiction(body);
		if (contradiction) refuse(400, 'invalid_body', contradiction);
		const createTime = new Date().toISOString();
		const request = { id: newId(), environment, body, createTime, guests: [] };
		store.requests.set(request.id, request);
		return await reply.code(201).send({ _id: request.id });
	});

	const found = ref(CollectionRequest, own('The collection request', 'the status code'));
	app.get(
		'/collection-request/:id',
		{ schema: describeRead('getCollectionRequest', 'collection request', found) },
		({ params: { id } }) => {
			const whole = toCollectionRequest(findRequest(store, environment, id) ?? missing());
			return store.isHard ? hardRequest(whole) : whole;
		},
	);

	app.get(
		'/share/:id',
		{ schema: describeRead('getShare', 'share', ref(Share, own('The share', 'the status code'))) },
		({ params: { id } }) => {
			const requests = [...store.requests.values()];
			const request = requests.find(({ share }) => share?._id === id);
			const whole = (request?.environment === environment && request.share) || missing();
			return store.isHard ? hardShare(whole) : whole;
		},
	);
};

const UNAUTHORIZED =
	'The API key or the token ID is missing or wrong. Send both: the header Authorization with the word Bearer and the API key, and the header tokenId.';

const digest = (text: string) => createHash('sha256').update(text).digest();

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
