import type { FastifyInstance } from 'fastify';
import { requireAuthentication } from './authentication.mts';
import { recordCalls } from './calls.mts';
import { createRequest, limits, toCollectionRequest } from './collectionRequests.mts';
import { NOT_FOUND } from './errors.mts';
import { respondWithFaults } from './faultResponses.mts';
import type { Environment } from './options.mts';
import { OWN_CHOICE, ref } from './schemas/describe.mts';
import type { Store } from './store.mts';
import { findRequest, findShare } from './store.mts';
import type { CreateCollectionRequest } from './types.mts';

interface ById {
	Params: { id: string };
}

const service = { tags: ['service'], security: [{ apiKey: [], tokenId: [] }] };
const own = (description: string, what = 'the status code') =>
	`${description}. ${OWN_CHOICE}: ${what}`;
const errorResponse = (description: string) => ({
	...ref('Error'),
	description: own(description, 'status code and shape'),
});
const unauthorized = errorResponse('The API key or the token ID is missing or wrong');
const notFound = errorResponse('There is nothing with this ID');
const idOf = (description: string) => ({
	type: 'object',
	properties: { id: { type: 'string', description } },
});

/** The three endpoints of an environment's API (Endpoints), for the prefix `/di`. */
export function registerApi(
	app: FastifyInstance,
	store: Store,
	environment: Environment,
	recordSecrets: boolean,
): void {
	recordCalls(app, store, recordSecrets);
	requireAuthentication(app, environment);
	respondWithFaults(app, store.faults);
	app.setNotFoundHandler(async (_request, reply) => await reply.code(404).send(NOT_FOUND));

	const createSchema = {
		...service,
		summary: 'Create a collection request',
		body: ref('CreateCollectionRequestDto'),
		response: {
			201: {
				...ref('CollectionRequest'),
				description: own('The new collection request', 'the status code, and all but _id'),
			},
			400: errorResponse('The body is not accepted'),
			401: unauthorized,
		},
	};
	app.post<{ Body: CreateCollectionRequest }>(
		'/collection-request/',
		{ schema: createSchema },
		async ({ body }, reply) => {
			const message = findContradiction(body);
			if (message) return await reply.code(400).send({ code: 'invalid_body', message });
			const request = createRequest(environment, body);
			store.requests.set(request.id, request);
			return await reply.code(201).send(toCollectionRequest(request));
		},
	);

	const readSchema = {
		...service,
		summary: 'Read a collection request',
		params: idOf('Collection request ID'),
		response: {
			200: { ...ref('CollectionRequest'), description: own('The collection request') },
			401: unauthorized,
			404: notFound,
		},
	};
	app.get<ById>('/collection-request/:id', { schema: readSchema }, async ({ params }, reply) => {
		const request = findRequest(store, environment, params.id);
		if (!request) return await reply.code(404).send(NOT_FOUND);
		return toCollectionRequest(request);
	});

	const shareSchema = {
		...service,
		summary: 'Read a share',
		params: idOf('Share ID'),
		response: {
			200: { ...ref('Share'), description: own('The share') },
			401: unauthorized,
			404: notFound,
		},
	};
	app.get<ById>('/share/:id', { schema: shareSchema }, async ({ params }, reply) => {
		const share = findShare(store, environment, params.id);
		return share ?? (await reply.code(404).send(NOT_FOUND));
	});
}

/** What is contradictory in a body that the schema has accepted, as a plain sentence. */
function findContradiction(body: CreateCollectionRequest): string | undefined {
	const { minimumParticipants, maximumParticipants } = limits(body);
	if (minimumParticipants > maximumParticipants) {
		return 'minimumParticipants must not be above maximumParticipants.';
	}
	if ((body.participantList?.length ?? 0) > maximumParticipants) {
		return 'participantList must not be longer than maximumParticipants.';
	}
	if (body.webhookUrl === undefined) return undefined;
	if (!/^https?:\/\//i.test(body.webhookUrl) || !URL.canParse(body.webhookUrl)) {
		return 'webhookUrl must be an absolute http or https URL.';
	}
	return body.webhookSecret ? undefined : 'webhookUrl needs a webhookSecret to sign with.';
}
