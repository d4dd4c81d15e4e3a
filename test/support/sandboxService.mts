import assert from 'node:assert/strict';
import type { Json } from '../../sandbox/n8n/types.mts';
import type { RequestState } from '../../sandbox/service/control.mts';
import { serviceCredential } from '../../sandbox/service/credential.mts';
import type { Delivery } from '../../sandbox/service/types.mts';
import { serviceUrl } from './environment.mts';
import { until } from './until.mts';

interface Person {
	name: string;
	email: string;
}

/** Calls the service's API or its control endpoints with the tests' credential. */
async function ask<T>(method: string, route: string, body?: Json): Promise<T> {
	const { apiKey, tokenId } = serviceCredential;
	const keys = { authorization: `Bearer ${apiKey}`, tokenId };
	const response = await fetch(`${serviceUrl}${route}`, {
		method,
		headers: body === undefined ? keys : { ...keys, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	assert.ok(response.ok, `${method} ${route}: ${response.status}`);
	return (await response.json()) as T;
}

/** The response of the service's API to a read. */
export const readApi = (route: string) => ask<Json>('GET', route);

/** Creates a collection request through the service's API, without n8n; returns its ID. */
export async function createRequest(fields: Json = {}): Promise<string> {
	const body = { templateId: 'e2e-template', ...fields };
	return String((await ask<Json>('POST', '/di/collection-request/', body))._id);
}

/** What the service knows about a collection request. */
export const stateOf = (id: string) => ask<RequestState>('GET', `/sandbox/requests/${id}`);

/** All the service's deliveries, oldest first, once there are `count` and each has got a response. */
export const delivered = (requestId: string, count: number): Promise<Delivery[]> =>
	until(`${count} deliveries have got a response`, async () => {
		const { deliveries } = await stateOf(requestId);
		const isDone = deliveries.length >= count && deliveries.every(({ statusCode }) => statusCode);
		return isDone ? deliveries.reverse() : undefined;
	});

/** The service's delivery of a status, once it has got a response. */
export const answered = (requestId: string, shareStatus: string): Promise<Delivery> =>
	until(`the service has its answer to "${shareStatus}"`, async () => {
		const { deliveries } = await stateOf(requestId);
		return deliveries.find((sent) => sent.shareStatus === shareStatus && sent.statusCode !== null);
	});

/** All collection requests created with a webhook identifier, oldest first. */
export async function requestsOf(identifier: string): Promise<RequestState[]> {
	const all = await ask<RequestState[]>('GET', '/sandbox/requests');
	return all.filter(({ webhook }) => webhook?.identifier === identifier).reverse();
}

/** Completes a collection request as if everybody had submitted; its notifications are sent asynchronously. */
export const complete = (id: string) => ask('POST', `/sandbox/requests/${id}/complete`, {});

/** Lets somebody join who has not submitted yet. */
export const join = async (guestLink: string, { name, email }: Person): Promise<void> => {
	const id = guestLink.split('/').at(-1) ?? '';
	await ask('POST', `/sandbox/requests/${id}/join`, { name, email });
};

/** Submits the form of the guest page, as a browser does. */
export async function fillInForm(link: string, person: Person, address: string): Promise<void> {
	const form = new URLSearchParams({ ...person, 'answers[Delivery address]': address });
	const response = await fetch(link, { method: 'POST', body: form });
	expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

export const ada = { name: 'Ada Example', email: 'ada@example.com' };
export const ben = { name: 'Ben Example', email: 'ben@example.com' };
export const twoPeople = [ada, ben];

/** Parameters of Create for a collection request that Ada and Ben are asked to complete. */
export const createForTwo: Json = {
	resource: 'collectionRequest',
	operation: 'create',
	templateId: 'e2e-template',
	participantsMode: 'json',
	participantsJson: JSON.stringify(twoPeople),
};

/** Both submit, each giving a prefix and their name as the address. */
export async function bothAnswer(guestLink: unknown, prefix = ''): Promise<void> {
	for (const person of twoPeople) {
		await fillInForm(String(guestLink), person, `${prefix}${person.name}`);
	}
}
