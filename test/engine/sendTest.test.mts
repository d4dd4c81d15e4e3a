import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { once } from 'node:events';
import { CREDENTIAL } from './support/storedCredential.mts';
import { SECRET, sign } from '../support/delivery.mts';
import { expectNoSecrets, runAction, runOk, stopExecution } from './support/engine.mts';
import type { ActionRun } from './support/engine.mts';
import { json, startFaultServer, text, type Answer } from './support/faultServer.mts';
import { containing, matching, textOf } from '../support/matchers.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const to = (webhookUrl: string, options: INodeParameters = {}, more: INodeParameters = {}) => ({
	parameters: {
		resource: 'notification',
		operation: 'sendTest',
		webhookUrl,
		options: { requestId: 'r1', ...options },
		...more,
	},
});

/** Sends to a receiver that responds like this; also returns what it received. */
async function sendTo(answer: Answer, more: INodeParameters = {}, run: Partial<ActionRun> = {}) {
	const { url, requests } = await startFaultServer(answer);
	const outcome = await runAction({ ...to(url, {}, more), ...run });
	const said = `${outcome.error?.message} ${outcome.error?.description}`;
	return { ...outcome, said, received: requests };
}

test('sends one delivery with the five headers of the service, signed with the webhook secret', async () => {
	const { url, requests } = await startFaultServer(json(200, { status: 'accepted' }));
	const webhookUrl = `${url}/webhook-test/1/webhook?a=b`;
	const { item } = await runOk(to(webhookUrl, { webhookIdentifier: 'onboarding' }));
	expect(requests).toMatchObject([{ method: 'POST', url: '/webhook-test/1/webhook?a=b' }]);
	const { headers = {}, body = '' } = requests[0] ?? {};
	const timestamp = textOf(headers['x-svc-timestamp']);
	expect(Math.abs(Date.now() - Number(timestamp))).toBeLessThan(60_000);
	const notification = {
		event: 'collection_request.updated',
		requestId: 'r1',
		shareStatus: 'completed',
		webhookIdentifier: 'onboarding',
		timestamp,
	};
	expect(JSON.parse(body)).toEqual(notification);
	const deliveryId = matching(/^[0-9a-f-]{36}$/);
	const response = { status: 'accepted' };
	expect(item).toEqual({ statusCode: 200, response, deliveryId, ...notification });
	expect(headers).toMatchObject({
		'content-type': 'application/json',
		'user-agent': 'svc-webhooks/1.0',
		'x-svc-event': 'collection_request.updated',
		'x-svc-delivery-id': item.deliveryId,
		'x-svc-signature': sign(SECRET, timestamp, body),
	});
	for (const name of ['authorization', 'tokenid']) expect(headers).not.toHaveProperty(name);
});

test('a trigger accepts it, and makes the item of it that a real notification makes', async () => {
	const host = await startTriggerHost({ parameters: { triggerOn: 'completed' } });
	const { item } = await runOk(to(host.url, { webhookIdentifier: 'w1' }));
	const { statusCode, response, ...sent } = item;
	expect([statusCode, response]).toEqual([200, { status: 'accepted' }]);
	expect(host.started).toMatchObject([sent]);
});

test('Request ID may be a guest link: the notification has the ID', async () => {
	const requestId = 'https://collect.example.com/request/r2';
	const { json: items } = await sendTo(json(200, {}), { options: { requestId } });
	expect(items).toMatchObject([{ requestId: 'r2' }]);
});

describe('a response other than 2xx fails the node, so that the canvas shows it', () => {
	test.each<[number, object, RegExp]>([
		[300, {}, /redirects.* \(HTTP 300\)/],
		[401, { status: 'unverified' }, /signature \(HTTP 401\).*webhook secret.*Raw Body/],
		[404, { message: 'not registered' }, /HTTP 404.*listening.*published.*"not registered"/],
		[500, { message: 'Error' }, /did not accept .* \(HTTP 500\).*executions.*"Error"/],
		[422, { message: `x${CREDENTIAL.webhookSecret}` }, /"x\(hidden\)"/],
	])('%i', async (statusCode, response, words) => {
		const { said, json: items } = await sendTo(json(statusCode, response));
		expect([said, items]).toEqual([matching(words), []]);
	});

	test('a redirect, which is not followed', async () => {
		const elsewhere = await startFaultServer(json(200, {}));
		const { error } = await sendTo(json(307, {}, { location: `${elsewhere.url}/there` }));
		expect(error?.message).toMatch(/redirects.* \(HTTP 307\)$/);
		expect(elsewhere.requests).toEqual([]);
	});
});

test.each<[string, Answer, unknown]>([
	['a text', text(200, 'Workflow was started'), 'Workflow was started'],
	['nothing', text(200, ''), ''],
	['harmful names', text(200, '{"__proto__":{"a":1},"constructor":1,"b":2}'), { b: 2 }],
])('any response of 2xx is data: %s', async (_title, answer, response) => {
	const { json: items, received } = await sendTo(answer);
	expect([items.map((item) => item.response), received.length]).toEqual([[response], 1]);
});

const time = useVirtualTime();
const UNREACHED = 'The webhook URL could not be reached';
const LATE = 'The webhook URL did not respond within 5 seconds';
const passTime = () => void setImmediate(() => time.advance(5_000));

test.each<[string, string, Answer]>([
	['a connection that breaks off', UNREACHED, (response) => void response.destroy()],
	['nothing', LATE, passTime],
	[
		'a body that trickles',
		LATE,
		(response) => {
			response.writeHead(200).write('{');
			passTime();
		},
	],
])('no response is an error that says what to check: %s', async (_title, message, answer) => {
	const { error, received } = await sendTo(answer);
	expect([error?.message, received.length]).toEqual([message, 1]);
});

test('a port at which nothing listens is an error that names the cause', async () => {
	const { url, close } = await startFaultServer(json(200, {}));
	await close();
	const { error } = await runAction(to(url));
	expect(error).toMatchObject({ message: UNREACHED, description: containing('(ECONNREFUSED)') });
});

test.each<[string, INodeParameters, IDataObject, RegExp]>([
	['no URL', { webhookUrl: '={{ "" }}' }, {}, /Webhook URL is empty/],
	['another protocol', { webhookUrl: 'ftp://x' }, {}, /Webhook URL is not an absolute/],
	['no webhook secret', {}, { webhookSecret: '' }, /no webhook secret: enter one/],
])('%s is refused before anything is sent', async (_title, parameters, credential, message) => {
	const run = { credential: credential as never };
	const { error, received } = await sendTo(json(200, {}), parameters, run);
	expect([error?.message, received]).toEqual([matching(message), []]);
});

test('Stop ends it at once, with its connections, and sends nothing for further items', async () => {
	const closed: Array<Promise<unknown>> = [];
	const answer: Answer = (response) => {
		closed.push(once(response, 'close'));
		stopExecution();
	};
	const input = Array.from({ length: 20 }, () => ({}));
	const settings = { onError: 'continueRegularOutput' as const };
	const { received } = await sendTo(answer, {}, { input, settings });
	await Promise.all(closed);
	// Five are under way at once.
	expect(received.length).toBeLessThanOrEqual(5);
});

test('what stands in the URL besides the address is sent as the service would, and not shown', async () => {
	const { url, requests } = await startFaultServer(json(200, {}));
	const withUser = `${url.replace('//', '//user:pass-of-the-url@')}/a\n b?c=ü#fragment`;
	const { run } = await runAction(to(`={{ ${JSON.stringify(withUser)} }}`));
	expect(requests).toMatchObject([{ url: '/a%20b?c=%C3%BC' }]);
	expectNoSecrets(run, ['Basic ']);
});
