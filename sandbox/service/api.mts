import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { limits, toCollectionRequest } from './collectionRequests.mts';
import { CreateCollectionRequest } from './createBody.mts';
import { serviceCredential } from './credential.mts';
import { missing, refuse } from './errors.mts';
import { hardRequest, hardShare } from './hardMode.mts';
import { newId, type Store } from './store.mts';

type ById = { Params: { id: string } };

/** The three endpoints of the service's API (Endpoints), for the prefix `/di`. */
export const api =
	(store: Store): FastifyPluginCallbackTypebox =>
	(app) => {
		const { apiKey, tokenId } = serviceCredential;
		// This comes before reading the body or looking up an ID (Authentication).
		app.addHook('onRequest', ({ headers }, _reply, done) => {
			const isKnown = headers.authorization === `Bearer ${apiKey}` && headers.tokenid === tokenId;
			if (!isKnown) refuse(401, 'unauthorized', UNAUTHORIZED);
			if (store.faults.left > 0) {
				store.faults.left -= 1;
				const { status } = store.faults;
				refuse(status, 'fault', `The sandbox was asked to respond with ${status}.`);
			}
			done();
		});
		// Set here as well, so that the hook above runs before it.
		app.setNotFoundHandler(missing);

		const schema = { body: CreateCollectionRequest };
		app.post('/collection-request/', { schema }, async ({ body }, reply) => {
			const contradiction = findContradiction(body);
			if (contradiction) refuse(400, 'invalid_body', contradiction);
			const createTime = new Date().toISOString();
			const request = { id: newId(), body, createTime, guests: [], due: [], deliveries: [] };
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
