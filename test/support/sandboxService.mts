import assert from 'node:assert/strict';
import type { Json } from '../../sandbox/n8n/types.mts';
import { serviceCredential } from '../../sandbox/shared/service.mts';
import { serviceUrl } from './environment.mts';

/** One delivery as the sandbox service remembers it. */
export interface SentDelivery {
	id: string;
	deliveryId: string;
	kind: string;
	shareStatus: string;
	statusCode: number | null;
	answer: string;
}

export interface RequestState {
	request: Json & { _id: string };
	guestLink: string;
	webhook: { url: string; identifier: string | null } | null;
	deliveries: SentDelivery[];
	share: Json | null;
}

export interface Call {
	method: string;
	url: string;
	headers: Record<string, string>;
	body: unknown;
	status: number | null;
}

async function ask<T>(method: string, route: string, body?: Json): Promise<T> {
	const response = await fetch(`${serviceUrl}${route}`, {
		method,
		headers: body === undefined ? {} : { 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	assert.ok(response.ok, `${method} ${route}: ${response.status}`);
	return (await response.json()) as T;
}

/** What the service's API answers to a read, as the credential of the tests may see it. */
export async function callApi(route: string): Promise<Json> {
	const { apiKey, tokenId } = serviceCredential;
	const headers = { authorization: `Bearer ${apiKey}`, tokenId };
	const response = await fetch(`${serviceUrl}${route}`, { headers });
	assert.ok(response.ok, `${route}: ${response.status}`);
	return (await response.json()) as Json;
}

/** What the service knows of a request. */
export const stateOf = (id: string) => ask<RequestState>('GET', `/sandbox/requests/${id}`);

/** All requests that were created with a webhook identifier, oldest first. */
export async function requestsOf(identifier: string): Promise<RequestState[]> {
	const all = await ask<RequestState[]>('GET', '/sandbox/requests');
	return all.filter(({ webhook }) => webhook?.identifier === identifier).reverse();
}

/** The only one of them. */
export async function requestOf(identifier: string): Promise<RequestState> {
	const found = await requestsOf(identifier);
	assert.equal(found.length, 1, 'requests with this webhook identifier');
	return found[0] as RequestState;
}

/** Completes a request as if everybody had submitted; its notifications leave on their own. */
export const complete = (id: string) => ask('POST', `/sandbox/requests/${id}/complete`, {});

/** Sends a notification signed with a wrong secret. */
export const forge = (id: string) => ask<SentDelivery>('POST', `/sandbox/requests/${id}/forge`, {});

/** Sends a delivery once more, signed anew or as the very same bytes. */
export const redeliver = (id: string, exact: boolean) =>
	ask<SentDelivery>('POST', `/sandbox/deliveries/${id}/redeliver`, { exact });

/** Every call to the service's API so far. */
export const calls = () => ask<Call[]>('GET', '/sandbox/calls');

async function post(url: string, fields: Record<string, string>): Promise<string> {
	const form = new URLSearchParams(fields);
	const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
	assert.equal(response.status, 303, await response.text());
	return new URL(response.headers.get('location') ?? '', url).href;
}

/** Joins and submits by the guest page's two forms, as a browser does. */
export async function fillInForm(
	guestLink: string,
	person: { name: string; email: string } | undefined,
	address: string,
): Promise<void> {
	assert.ok(person);
	const { name, email } = person;
	const page = await fetch(guestLink);
	assert.equal(page.status, 200);
	const answersPage = await post(`${guestLink}/join`, { name, email });
	await post(answersPage, { 'answers[Delivery address]': address });
}
