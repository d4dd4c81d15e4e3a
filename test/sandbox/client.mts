import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startMailbox, type Mailbox } from '../support/mailbox.mts';
import { startService, type Service } from '../support/service.mts';
import { listen, type Listener } from '../support/listener.mts';
import { until } from '../support/until.mts';

/** The authentication that a fresh service accepts. */
export const authentication = {
	authorization: 'Bearer sandbox-api-key',
	tokenId: 'sandbox-token-id',
};

export const WEBHOOK_SECRET = 'whsec-of-the-contract-tests';

export type Json = Record<string, unknown>;

/** Jest's matchers, typed so that they can stand in for any value. */
export const anyText: unknown = expect.any(String);
export const textLike = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** A list of objects, whatever the value is. */
export const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);

/** One HTTP exchange without following redirects; `json` is empty if the body is not an object. */
export async function exchange(url: string, init: RequestInit = {}) {
	const response = await fetch(url, { redirect: 'manual', ...init });
	const { status, headers } = response;
	const text = await response.text();
	const location = headers.get('location') ?? '';
	return { status, text, json: parseObject(text), location, headers };
}

export type Answer = Awaited<ReturnType<typeof exchange>>;

function parseObject(text: string): Json {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : {};
	} catch {
		return {};
	}
}

/** Checks the status of a page, and that the page contains these texts. */
export function expectPage(page: Answer, status: number, ...parts: string[]): void {
	expect(page.status).toBe(status);
	for (const part of parts) expect(page.text).toContain(part);
}

/** How JSON is sent, with optional additional headers. */
export const asJson = (body: unknown, headers: Record<string, string> = {}) => ({
	method: 'POST',
	headers: { 'content-type': 'application/json', ...headers },
	body: JSON.stringify(body),
});

/** How a browser without JavaScript submits a form. */
export const asForm = (fields: Record<string, string>) => ({
	method: 'POST',
	body: new URLSearchParams(fields),
});

/** The mailbox while the tests of a file run. */
export function useMailbox(): Mailbox {
	const mailbox = {} as Mailbox;
	beforeAll(async () => void Object.assign(mailbox, await startMailbox()));
	afterAll(() => mailbox.stop());
	return mailbox;
}

/** The emulated service while the tests of a file or `describe` run, and the calls they make. */
export function useService() {
	const running = {} as Service;
	beforeAll(async () => void Object.assign(running, await startService()));
	afterAll(() => running.stop());

	const url = () => running.url;
	const ask = (path: string, init?: RequestInit) => exchange(`${url()}${path}`, init);
	const read = (path: string) => ask(`/di/${path}`, { headers: authentication });
	const create = (body: unknown) => ask('/di/collection-request/', asJson(body, authentication));
	/** The way programs use the control endpoints. */
	const post = (path: string, body: unknown = {}) => ask(path, asJson(body));

	return {
		...{ url, ask, read, create, post },
		/** Creates a collection request with a template; resolves to its ID. */
		newRequest: async (body: Json = {}) =>
			String((await create({ templateId: 'delivery', ...body })).json._id),
		readRequest: async (id: string) => (await read(`collection-request/${id}`)).json,
		/** Joins and submits in one step, through the form of the guest page. */
		submit: (id: string, email: string, name = `Name of ${email}`) => {
			const answer = { 'answers[Delivery address]': `Street of ${email}` };
			return ask(`/request/${id}`, asForm({ name, email, ...answer }));
		},
		list: async (path: string) => JSON.parse((await ask(path)).text) as Json[],
		clear: () => ask('/sandbox', { method: 'DELETE' }),
	};
}

export interface Received {
	headers: IncomingHttpHeaders;
	body: Buffer;
}

const receivers: Listener[] = [];
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

/** A receiver of notifications until the test ends; status 0 means no response at all. */
export async function startReceiver(reply: { status: number; headers?: Record<string, string> }) {
	const received: Received[] = [];
	const receiver = await listen((request, response) => {
		void buffer(request).then((body) => {
			received.push({ headers: request.headers, body });
			if (reply.status > 0) response.writeHead(reply.status, reply.headers).end('as received');
		});
	});
	receivers.push(receiver);
	return {
		received,
		close: () => receiver.close(),
		/** The webhook fields with which a collection request is created to notify the receiver. */
		webhook: { webhookUrl: `${receiver.url}/hook`, webhookSecret: WEBHOOK_SECRET },
		/** Resolves to the first `count` notifications as soon as they have arrived. */
		take: (count: number) =>
			until(`${count} notifications`, () =>
				received.length < count ? undefined : received.slice(0, count),
			),
	};
}
