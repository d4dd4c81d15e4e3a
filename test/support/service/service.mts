import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import type { Json } from '../../../sandbox/n8n/types.mts';
import { until } from '../../../sandbox/shared/until.mts';
import { listen } from '../listener.mts';
import { KEYS, responseTo, type Call, type Reply } from './api.mts';
import { complete, join, submit } from './participation.mts';
import { collectionRequestOf, type Created, type Person, type Stored } from './requests.mts';

export type Service = Awaited<ReturnType<typeof openService>>;

/** What the service knows about a collection request. */
export type State = ReturnType<Service['stateOf']>;

/** A collection request by its ID or guest link. */
type Id = unknown;

/**
 * Stands in for the service: its API over HTTP, for n8n, and methods for what people do and for what
 * it knows. It ends with the process.
 */
export async function openService() {
	const stored: Stored[] = [];
	const calls: Call[] = [];
	const { url } = await listen(async (request, response) => {
		const { method = '', url = '', headers } = request;
		const body = method === 'POST' ? ((await json(request)) as Json) : {};
		const call = { method, url, headers, body };
		calls.push(call);
		const { status, reason = '', headers: more, ...reply } = await service.respond(call);
		response.statusMessage = reason;
		response.writeHead(status, { 'content-type': 'application/json', ...more });
		response.end(reply.text ?? JSON.stringify(reply.body));
	});
	const answer = (call: Call) => responseTo(call, stored);
	const service = {
		/** The address of its API and of its guest pages, without a trailing slash. */
		url,
		/** Every call of its API, in order. */
		calls,
		/** Responds to a call. A test may replace it. */
		respond: answer as (call: Call) => Reply | Promise<Reply>,
		/** What it responds by itself. */
		answer,
		...withoutHttp(answer),
		...knowing(stored, url),
	};
	return service;
}

/** Calls of the API by the tests themselves, which must succeed. */
function withoutHttp(answer: (call: Call) => Reply) {
	const call = (method: string, url: string, body: Json = {}): Json => {
		const headers = { authorization: `Bearer ${KEYS.apiKey}`, tokenid: KEYS.tokenId };
		const reply = answer({ method, url, headers, body });
		assert.ok(reply.status < 300, `${method} ${url}: ${reply.status}`);
		return reply.body as Json;
	};
	return {
		/** What a read of the API gives, e.g. of `/di/share/1`. */
		read: (path: string) => call('GET', path),
		/** Creates a collection request; returns its ID. */
		create: (fields: Partial<Created> = {}) => {
			const body = { templateId: 'e2e-template', ...fields };
			return String(call('POST', '/di/collection-request/', body)._id);
		},
	};
}

function knowing(stored: Stored[], url: string) {
	const find = (id: Id): Stored => {
		const request = stored.find((known) => known.id === String(id).split('/').at(-1));
		assert.ok(request, `The service has no collection request ${String(id)}`);
		return request;
	};
	const shown = (request: Stored) => {
		const { webhookUrl, webhookIdentifier = null } = request.body;
		return {
			request: collectionRequestOf(request),
			guestLink: `${url}/request/${request.id}`,
			webhook: webhookUrl ? { url: webhookUrl, identifier: webhookIdentifier } : null,
			deliveries: request.deliveries,
		};
	};
	return {
		stateOf: (id: Id) => shown(find(id)),
		/** All that were created with a webhook identifier, oldest first. */
		requestsOf: (identifier: string) =>
			stored.filter(({ body }) => body.webhookIdentifier === identifier).map(shown),
		join: (id: Id, person: Person) => join(find(id), person),
		submit: (id: Id, person: Person, value: string) => submit(find(id), person, value),
		complete: (id: Id) => complete(find(id)),
		/** All deliveries, oldest first, once there are `count` and each has got a response. */
		delivered: (id: Id, count: number) =>
			until(`${count} deliveries have got a response`, () => {
				const { deliveries } = find(id);
				const isDone = deliveries.every(({ response }) => response !== '');
				return isDone && deliveries.length >= count ? deliveries : undefined;
			}),
		/** The response to the delivery of a status, once there is one. */
		answered: (id: Id, shareStatus: string) =>
			until(`the service has its response to "${shareStatus}"`, () => {
				const ofStatus = find(id).deliveries.filter((sent) => sent.shareStatus === shareStatus);
				return ofStatus.find(({ response }) => response !== '')?.response;
			}),
	};
}
