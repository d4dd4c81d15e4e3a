import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { listen, type Listener } from '../../support/listener.mts';
import { textFile } from '../../support/markdown.mts';
import type { Created } from '../../support/service/requests.mts';

/** One request as it arrived. */
export interface Received {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** Responds to the n-th request, counted from 0. */
export type Answer = (response: ServerResponse, request: Received, index: number) => void;

const running: Listener[] = [];

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (server) => await server.close()));
});

/** A service that responds as the test says and records what it received; it ends with the test. */
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

/** A response with these bytes, declared as JSON unless the headers say otherwise. */
export const text =
	(status: number, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
	(response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(body);
	};

/** A response with a JSON body. */
export const json = (status: number, body: unknown, headers?: Record<string, string>): Answer =>
	text(status, JSON.stringify(body), headers);

/** Chooses the response for each request. */
export const by =
	(choose: (request: Received, index: number) => Answer): Answer =>
	(response, request, index) =>
		choose(request, index)(response, request, index);

/** Responds like this to one request when the test says so; `asked` resolves when it has come. */
export function held(answer: Answer) {
	const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
	const { promise: mayRespond, resolve: respond } = Promise.withResolvers<void>();
	const holding: Answer = (...received) => {
		ask();
		void mayRespond.then(() => answer(...received));
	};
	return { answer: holding, asked, respond };
}

/** The current statuses of collection requests by ID; a function sends its own response. */
export type Statuses = Record<string, string | Answer>;

/**
 * A service whose collection requests have these statuses. It names what is created after its template
 * and number, `A`, then `A2`. Of the people who were invited, it knows the email only.
 */
export function service(statuses: Statuses): Answer {
	const created = new Map<string, object>();
	return by(({ method, url, body }) => {
		if (method === 'POST') {
			const { templateId, participantList } = JSON.parse(body) as Created;
			let _id = templateId;
			for (let number = 2; created.has(_id); number += 1) _id = `${templateId}${number}`;
			const emails = participantList?.map(({ email }) => ({ email, name: null }));
			created.set(_id, { participantList: emails });
			statuses[_id] ??= 'open';
			return json(201, { _id });
		}
		const _id = url.split('/').at(-1) ?? '';
		const shareStatus = statuses[_id];
		if (typeof shareStatus === 'function') return shareStatus;
		if (shareStatus === undefined) return json(404, {});
		return json(200, { _id, title: `Title ${_id}`, ...created.get(_id), shareStatus });
	});
}

/** A service with only these resources, by their paths below /di/. */
export const having = (resources: Record<string, unknown>): Answer =>
	by(({ url }) => {
		const found = resources[url.replace('/di/', '')];
		return found === undefined ? json(404, {}) : json(200, found);
	});

const pem = textFile('test/engine/support/selfSigned.pem');

/** A certificate for 127.0.0.1 and its key, made for the tests: trusted by nobody. */
export const selfSigned = { key: pem, cert: pem };
