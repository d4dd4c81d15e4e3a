import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';

export const authentication = {
	authorization: 'Bearer sandbox-api-key',
	tokenId: 'sandbox-token-id',
};

/** What the other environment takes, whose address ends with /production. */
export const ofProduction = {
	authorization: 'Bearer sandbox-production-api-key',
	tokenId: 'sandbox-production-token-id',
};

export const WEBHOOK_SECRET = 'whsec-of-the-contract-tests';

export type Json = Record<string, unknown>;

export interface Answer {
	status: number;
	text: string;
	json: Json;
	location: string;
	headers: Headers;
}

/** One HTTP exchange without following redirects; `json` is empty when the answer is no object. */
export async function exchange(url: string, init: RequestInit = {}): Promise<Answer> {
	const response = await fetch(url, { redirect: 'manual', ...init });
	const text = await response.text();
	const location = response.headers.get('location') ?? '';
	const { status, headers } = response;
	return { status, text, json: parseObject(text), location, headers };
}

/** A call to the API with both authentication headers. */
export function callApi(url: string, body?: unknown): Promise<Answer> {
	if (body === undefined) return exchange(url, { headers: authentication });
	const headers = { ...authentication, 'content-type': 'application/json' };
	return exchange(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** A JSON POST without authentication, as the control endpoints take it. */
export function postJson(url: string, body: unknown = {}): Promise<Answer> {
	const headers = { 'content-type': 'application/json', accept: 'application/json' };
	return exchange(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Submits a form as a browser without JavaScript does. */
export function postForm(url: string, fields: Record<string, string>): Promise<Answer> {
	return exchange(url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** Creates a collection request and returns its ID. */
export async function createRequest(url: string, body: Json = {}): Promise<string> {
	const { json } = await callApi(`${url}/di/collection-request/`, {
		templateId: 'delivery',
		...body,
	});
	return String(json._id);
}

/** Joins and submits in one call; the answer carries the share status. */
export function submit(url: string, requestId: string, email: string): Promise<Answer> {
	return postJson(`${url}/request/${requestId}`, {
		name: `Name of ${email}`,
		email,
		answers: { 'Delivery address': `Street of ${email}` },
	});
}

export async function readRequest(url: string, requestId: string): Promise<Json> {
	return (await callApi(`${url}/di/collection-request/${requestId}`)).json;
}

export interface Received {
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** A receiver of notifications on loopback; `reply` decides status and headers of every answer. */
export async function startReceiver(reply: { status: number; headers?: Record<string, string> }) {
	const received: Received[] = [];
	let wake = () => {};
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			received.push({ headers: request.headers, body: Buffer.concat(chunks) });
			wake();
			// Status 0 stands for a receiver that never answers.
			if (reply.status > 0) response.writeHead(reply.status, reply.headers).end('as received');
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}/hook`,
		received,
		/** Resolves with the first `count` notifications as soon as they have arrived. */
		async take(count: number): Promise<Received[]> {
			while (received.length < count) await new Promise<void>((resolve) => (wake = resolve));
			return received.slice(0, count);
		},
		stop() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** Jest's matchers, typed so that they can stand in for any value. */
export const anyText: unknown = expect.any(String);
export const textLike = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** Reads again until the value is accepted, and returns it. */
export async function until<T>(read: () => Promise<T>, accept: (value: T) => boolean): Promise<T> {
	for (;;) {
		const value = await read();
		if (accept(value)) return value;
	}
}

function parseObject(text: string): Json {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : {};
	} catch {
		return {};
	}
}

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null;
}

/** A list of objects, whatever came. */
export function listOf(value: unknown): Json[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}
