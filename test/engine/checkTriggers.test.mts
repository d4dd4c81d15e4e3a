import type { INodeParameters } from 'n8n-workflow';
import { listen } from '../support/listener.mts';
import { containing } from '../support/matchers.mts';
import { runAction, type ActionRun } from './support/engine.mts';
import { by, json, startFaultServer, text, type Answer } from './support/faultServer.mts';
import { runFlow } from './support/flow.mts';
import { useVirtualTime } from './support/virtualTime.mts';

// Create asks the address of a trigger before it creates anything. What a real n8n responds is in
// test/deliveries/publishing.test.mts.

const time = useVirtualTime();
const PATH = '/webhook/1/webhook';
const create = {
	resource: 'collectionRequest',
	operation: 'create',
	templateId: 't1',
	participants: { participant: [{ email: 'ada@example.com' }] },
	notify: 'trigger',
};
const created = json(201, { _id: 'r1' });

/** Creates with a trigger at this address; returns the hints, and how many were created. */
async function createFor(webhookUrl: string, run: Partial<ActionRun> = {}) {
	const parameters: INodeParameters = { ...create, webhookUrl };
	const outcome = await runAction({ parameters, answer: created, ...run });
	expect(outcome.error).toBeUndefined();
	return { hints: outcome.hints.map(({ message }) => message), sent: outcome.sent };
}

/** The response to OPTIONS, which names the methods, and the one to GET. */
const receiver = (methods: string, get: Answer): Answer =>
	by(({ method }) => {
		const headers = methods && { 'access-control-allow-methods': methods };
		return method === 'OPTIONS' ? text(204, '', headers || {}) : get;
	});
const notRegistered = json(404, {
	code: 404,
	message: 'The requested webhook "GET 1/webhook" is not registered.',
	hint: 'The workflow must be active for a production URL to run successfully.',
});
const notPublished = receiver('OPTIONS', notRegistered);
const published = receiver('OPTIONS, POST', notRegistered);

test('n8n has no published workflow there: a hint names the address, and no key is sent', async () => {
	const { url, requests } = await startFaultServer(notPublished);
	const hint = `Status changes will start nothing at ${url}${PATH}: no published workflow has`;
	const outcome = await createFor(`${url}${PATH}?key=1`);
	expect(outcome).toEqual({ hints: [containing(hint)], sent: 1 });
	expect(requests.map(({ method, url: asked }) => `${method} ${asked}`)).toEqual([
		`OPTIONS ${PATH}?key=1`,
		`GET ${PATH}?key=1`,
	]);
	for (const { headers } of requests) {
		expect(Object.keys(headers)).not.toContain('authorization');
		expect(Object.keys(headers)).not.toContain('tokenid');
	}
});

test('nothing listens there: a hint', async () => {
	const { url, close } = await listen(() => {});
	await close();
	const hint = 'from this n8n, no connection can be made to its host and port';
	expect(await createFor(`${url}${PATH}`)).toEqual({ hints: [containing(hint)], sent: 1 });
});

const never: Answer = () => void setImmediate(() => time.advance(1_000));
const trickling: Answer = (response) => {
	response.writeHead(404).write('{');
	void setImmediate(() => time.advance(1_000));
};

test.each<[string, Answer, methods: string[]]>([
	['a published workflow is there', published, ['OPTIONS']],
	['something else is there', receiver('', notRegistered), ['OPTIONS']],
	['it redirects', text(302, '', { location: 'http://127.0.0.1:9/' }), ['OPTIONS']],
	['the connection breaks off', (response) => void response.destroy(), ['OPTIONS']],
	['nothing responds within a second', never, ['OPTIONS']],
	['a proxy responds for it', receiver('OPTIONS', text(404, '<html>')), ['OPTIONS', 'GET']],
	['it is there all the same', receiver('OPTIONS', json(200, {})), ['OPTIONS', 'GET']],
	['it does not finish within a second', receiver('OPTIONS', trickling), ['OPTIONS', 'GET']],
])('nothing is said if %s', async (_title, answer, methods) => {
	const { url, requests } = await startFaultServer(answer);
	expect(await createFor(`${url}${PATH}`)).toEqual({ hints: [], sent: 1 });
	expect(requests.map(({ method }) => method)).toEqual(methods);
});

test('after a second, a response that never ends is given up', async () => {
	const closed = Promise.withResolvers<void>();
	const { url } = await startFaultServer((response, ...received) => {
		response.writeHead(200);
		// n8n's own timeout begins again with each byte.
		const drip = setInterval(() => response.write('.'), 100);
		response.once('close', () => {
			clearInterval(drip);
			closed.resolve();
		});
		never(response, ...received);
	});
	await createFor(`${url}${PATH}`);
	await closed.promise;
});

describe('each address is asked once', () => {
	const input = ['a', 'b', 'a'].map((path) => ({ path }));

	test('for all items', async () => {
		const { url, requests } = await startFaultServer(published);
		await createFor(`=${url}/webhook/{{ $json.path }}`, { input });
		expect(requests.map((request) => request.url)).toEqual(['/webhook/a', '/webhook/b']);
	});

	test('for all tries of Retry On Fail, and the hint is there after the last one', async () => {
		const { url, requests } = await startFaultServer(notPublished);
		const answer = by((_request, index) => (index === 0 ? json(400, {}) : created));
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const { hints, sent } = await createFor(`${url}${PATH}`, { answer, settings });
		expect([hints.length, sent, requests.length]).toEqual([1, 2, 2]);
	});

	test('for all rounds of a loop', async () => {
		const { url, requests } = await startFaultServer(published);
		const { error, requests: sent } = await runFlow({
			rows: ['A', 'B'],
			nodes: { Create: { ...create, webhookUrl: `${url}${PATH}` } },
			edges: ['Trigger -> Rows -> Loop -> Email', 'Loop/1 -> Create -> Loop'],
		});
		expect([error, sent.length, requests.length]).toEqual([undefined, 2, 1]);
	});
});

test('of many addresses, ten are asked', async () => {
	const { url, requests } = await startFaultServer(published);
	const input = Array.from({ length: 12 }, (_, path) => ({ path }));
	await createFor(`=${url}/webhook/{{ $json.path }}`, { input });
	expect(requests.length).toBe(10);
});

test.each<[string, path: string, hints: unknown[], asked: number]>([
	['with a prefix', '/prefix/webhook/1/webhook', [], 1],
	['of a wait', '/webhook-waiting/1?signature=2', [], 1],
	['of something else', '/1', [], 1],
	[
		'for tests, which takes one call, and so is not asked',
		'/webhook-test/1/webhook',
		[containing('test URL: it accepts only one notification')],
		0,
	],
])('the address %s', async (_title, path, hints, asked) => {
	const { url, requests } = await startFaultServer(published);
	expect(await createFor(`${url}${path}`)).toEqual({ hints, sent: 1 });
	expect(requests.length).toBe(asked);
});

test.each<[string, INodeParameters]>([
	['nothing is created', { templateId: '={{ "" }}' }],
	['nothing is reported', { notify: 'none' }],
])('no address is asked if %s', async (_title, parameters) => {
	const { url, requests } = await startFaultServer(published);
	const webhookUrl = `${url}${PATH}`;
	await runAction({ parameters: { ...create, webhookUrl, ...parameters }, answer: created });
	expect(requests).toEqual([]);
});
