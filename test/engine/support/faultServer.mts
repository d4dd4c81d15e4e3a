import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { listen, type Listener } from '../../support/listener.mts';
import { textFile } from '../../support/markdown.mts';

/** One request as it arrived. */
export interface Received {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** Answers the n-th request, counted from 0. */
export type Answer = (response: ServerResponse, request: Received, index: number) => void;

const running: Listener[] = [];

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (server) => await server.close()));
});

/** A service that answers as the test says, and keeps what it received; it ends with the test. */
export async function startFaultServer(answer: Answer, options?: Parameters<typeof listen>[1]) {
	const requests: Received[] = [];
	const listener = await listen(async (request, response) => {
		const { method = '', url = '', headers } = request;
		const received = { method, url, headers, body: await textOf(request) };
		answer(response, received, requests.push(received) - 1);
	}, options);
	running.push(listener);
	return { ...listener, requests };
}

/** An answer with these bytes, which are said to be JSON unless the headers say something else. */
export const text =
	(status: number, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
	(response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(body);
	};

/** An answer with a JSON body. */
export const json = (status: number, body: unknown, headers?: Record<string, string>): Answer =>
	text(status, JSON.stringify(body), headers);

/** The one that most tests need: of something with the ID 1. */
export const FINE = json(200, { _id: '1' });

/** Answers each request as this chooses for it. */
export const by =
	(choose: (request: Received, index: number) => Answer): Answer =>
	(response, request, index) =>
		choose(request, index)(response, request, index);

/** A service that has these resources, by their paths below /di/, and knows no others. */
export const having = (resources: Record<string, unknown>): Answer =>
	by(({ url }) => {
		const found = resources[url.replace('/di/', '')];
		return found === undefined ? json(404, {}) : json(200, found);
	});

/** A certificate for 127.0.0.1 and its key, made for the tests and used nowhere else. */
const pem = (name: string) => {
	const both = textFile(`test/engine/support/${name}.pem`);
	return { key: both, cert: both };
};

/** Nobody trusts it, which is the point. */
export const selfSigned = pem('selfSigned');

/** It was valid on the first day of 2020 only. */
export const expired = pem('expired');
