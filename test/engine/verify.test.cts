import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Delivery } from '../support/delivery.cts';
import { delivery, notification, sign, withHeaders } from '../support/delivery.cts';
import { expectNoSecrets, runAction, runError } from '../support/engine.cts';
import type { Sent } from '../support/forgeries.cts';
import { FORGED, genuine, SECRET } from '../support/forgeries.cts';
import { matching } from '../support/matchers.cts';
import { startTriggerHost } from '../support/triggerHost.cts';

// What n8n's own Webhook node gives out with Raw Body: the JSON says what n8n made of the request,
// and only the binary field holds the bytes that were signed.

const VERIFY = { resource: 'notification', operation: 'verify' };

const received = ({ body, headers }: Delivery, field = 'data'): INodeExecutionData => ({
	json: { headers, params: {}, query: { requestId: 'unsigned' }, body: { requestId: 'unsigned' } },
	binary: { [field]: { data: body.toString('base64'), mimeType: 'application/json' } },
});

const withDefaults = (parameters: INodeParameters = {}) => ({
	...VERIFY,
	signature: "={{ $json.headers['x-svc-signature'] }}",
	timestamp: "={{ $json.headers['x-svc-timestamp'] }}",
	...parameters,
});

const verify = (
	deliveries: Delivery[],
	parameters?: INodeParameters,
	credential?: IDataObject,
) => ({
	parameters: withDefaults(parameters),
	items: deliveries.map((one) => received(one)),
	credential: credential as never,
});

async function verified(run: ReturnType<typeof verify>) {
	const { json, items, error } = await runAction(run);
	expect(error).toBeUndefined();
	return { json, items };
}

test("gives the trigger's item, and nothing that was not signed", async () => {
	const good = delivery(notification({ extra: { kept: true }, guestLink: 'theirs' }));
	const host = await startTriggerHost();
	await host.post(good);
	await host.stop();
	const { json, items } = await verified(verify([good]));
	expect(json).toEqual(host.started);
	expect(items[0]?.binary).toBeUndefined();
	expect(items[0]?.pairedItem).toEqual({ item: 0 });
});

test('each item by itself, in their order', async () => {
	const deliveries = ['a', 'b', 'c'].map((requestId) => delivery(notification({ requestId })));
	const { json } = await verified(verify(deliveries));
	expect(json.map(({ requestId }) => requestId)).toEqual(['a', 'b', 'c']);
});

test('a previous webhook secret is accepted', async () => {
	const old = delivery(notification(), { secret: 'the-secret-of-last-year' });
	const credential = { previousWebhookSecrets: 'x-the-oldest-one\nthe-secret-of-last-year' };
	await verified(verify([old], {}, credential));
});

test('the headers and the body may be elsewhere', async () => {
	const good = delivery();
	const { headers } = good;
	const parameters = withDefaults({
		binaryPropertyName: 'body',
		signature: headers['x-svc-signature'] ?? '',
		timestamp: headers['x-svc-timestamp'] ?? '',
	});
	const item = { ...received(good, 'body'), json: {} };
	const { json, error } = await runAction({ parameters, items: [item] });
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ deliveryId: null }]);
});

describe('refused, each with its reason', () => {
	const sent = ({ body, timestamp, signature }: Sent) =>
		verify(
			[{ body, headers: { 'x-svc-timestamp': timestamp, 'x-svc-signature': signature } }],
			{},
			{ webhookSecret: SECRET },
		);

	test('but not what they are forged from', async () => {
		await verified(sent(genuine()));
	});

	test.each(FORGED)('%s', async (_title, forge) => {
		const { message, description } = await runError(sent(forge()));
		expect(message).toMatch(/^The notification was refused: /);
		expect(description).toMatch(/^Do not use what it says/);
	});

	const at = (seconds: number) => String(Date.now() + seconds * 1000);

	test.each([-360, 360])('signed %i seconds from now', async (seconds) => {
		const old = delivery(notification(), { timestamp: at(seconds) });
		expect((await runError(verify([old]))).message).toMatch(/maximum age of 300 s/);
	});

	test('not with Maximum Age 0, or a longer one', async () => {
		const old = delivery(notification(), { timestamp: at(-3600) });
		await verified(verify([old], { options: { maximumAge: 0 } }));
		await verified(verify([old], { options: { maximumAge: 4000 } }));
	});

	test.each([
		['a signed body that is no notification', '{"event":1}', /not a notification/],
		['more than 1 MiB', `{"a":"${'x'.repeat(1024 * 1024)}"}`, /larger than 1 MiB/],
	])('%s', async (_title, body, reason) => {
		expect((await runError(verify([delivery(body)]))).message).toMatch(reason);
	});

	test('with Continue On Fail as an item, beside those that were verified', async () => {
		const good = delivery();
		const forged = withHeaders(good, { 'x-svc-signature': sign('{}', '1') });
		const run = {
			...verify([good, forged]),
			settings: { onError: 'continueRegularOutput' as const },
		};
		const { json, run: whole } = await runAction(run);
		expect(json).toMatchObject([{ shareStatus: 'completed' }, { error: matching(/refused/) }]);
		expectNoSecrets(whole);
	});
});

describe('what the workflow lacks is said', () => {
	test('Raw Body', async () => {
		const item = { ...received(delivery()), binary: undefined };
		const { message, description } = await runError({ parameters: withDefaults(), items: [item] });
		expect(message).toBe('The item has no binary field "data"');
		expect(description).toMatch(/Raw Body/);
	});

	test('the headers', async () => {
		const item = { ...received(delivery()), json: {} };
		const { message } = await runError({ parameters: withDefaults(), items: [item] });
		expect(message).toMatch(/X-SVC-Timestamp is missing/);
	});

	test.each([
		['no webhook secret', { webhookSecret: '' }, /no webhook secret: enter one/],
		['a lost secret', { previousWebhookSecrets: '__n8n_BLANK_VALUE_e5\nx' }, /secret was lost/],
	])('%s', async (_title, credential, message) => {
		expect((await runError(verify([delivery()], {}, credential))).message).toMatch(message);
	});
});
