import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Delivery } from './support/delivery.mts';
import { delivery, notification, sign, withHeaders } from './support/delivery.mts';
import { expectNoSecrets, runAction, runError } from './support/engine.mts';
import type { Sent } from './support/forgeries.mts';
import { FORGED, genuine, SECRET } from './support/forgeries.mts';
import { matching } from './support/matchers.mts';
import { startTriggerHost } from './support/triggerHost.mts';

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

describe('takes what the trigger takes, with the same item, and refuses the rest', () => {
	const nested = (levels: number) =>
		`{"event":"e","requestId":"r","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
	const small = JSON.stringify(notification());
	const filled = (length: number) => small + ' '.repeat(length - small.length);
	const at = (digits: number) => String(BigInt(Date.now()) * 1_000_000n).slice(0, digits);
	const changed = (changes: Record<string, string | undefined>) => withHeaders(delivery(), changes);
	const signature = (change: (right: string) => string) => () => {
		const good = delivery();
		return withHeaders(good, { 'x-svc-signature': change(good.headers['x-svc-signature'] ?? '') });
	};

	test.each<[string, boolean, () => Delivery]>([
		['a byte order mark, signed', true, () => delivery(`\uFEFF${small}`)],
		[
			'bytes that are no text',
			true,
			() => delivery(Buffer.from(small.replace('o', '\xFF'), 'latin1')),
		],
		[
			'harmful names',
			true,
			() => delivery(small.replace('{', '{"__proto__":{"a":1},"toString":1,')),
		],
		['one name twice', true, () => delivery(small.replace('{', '{"requestId":"first",'))],
		[
			'fields of the item',
			true,
			() => delivery(notification({ deliveryId: 'x', notifiedAt: 'y' })),
		],
		[
			'expressions',
			true,
			() => delivery(notification({ note: '={{ $json.headers }}{{ 1 + 1 }}' })),
		],
		['1 MiB', true, () => delivery(filled(1024 * 1024))],
		['a byte more', false, () => delivery(filled(1024 * 1024 + 1))],
		['190 levels', true, () => delivery(nested(190))],
		['210 levels', false, () => delivery(nested(210))],
		['100,000 levels', false, () => delivery(nested(100_000))],
		['an empty request ID', false, () => delivery(notification({ requestId: '' }))],
		['a status that is no text', false, () => delivery(notification({ shareStatus: {} }))],
		['half a character', true, () => delivery(small.replace('onboarding', '\\ud800'))],
		['seconds', true, () => delivery(small, { timestamp: at(10) })],
		['microseconds', true, () => delivery(small, { timestamp: at(16) })],
		['nanoseconds', true, () => delivery(small, { timestamp: at(19) })],
		['a time with a zero before it', false, () => delivery(small, { timestamp: `0${at(13)}` })],
		['no delivery ID', true, () => changed({ 'x-svc-delivery-id': undefined })],
		['a delivery ID like an expression', true, () => changed({ 'x-svc-delivery-id': '={{ 1 }}' })],
		['another event in the header', true, () => changed({ 'x-svc-event': 'other' })],
		['two signatures', false, signature((right) => `${right}, ${right}`)],
		['a signature like an expression', false, signature((right) => `={{ "${right}" }}`)],
	])('%s', async (_title, isTaken, make) => {
		const sent = make();
		const host = await startTriggerHost({ parameters: { triggerOn: 'anyEvent' } });
		await host.post(sent);
		await host.stop();
		expect(host.thrown).toEqual([]);
		const { json, error } = await runAction(verify([sent]));
		expect([host.started.length, json.length]).toEqual(isTaken ? [1, 1] : [0, 0]);
		expect(json).toEqual(host.started);
		if (!isTaken) expect(error?.message).toMatch(/^The notification was refused/);
	});
});

describe('an item that no Webhook node gives', () => {
	const good = delivery();
	const { json: whole, binary } = received(good);
	const bytes = binary?.data;

	const headers = (value: unknown) => ({ json: { ...whole, headers: value } as never, binary });
	const header = (value: unknown) => headers({ ...good.headers, 'x-svc-timestamp': value });
	const body = (data: object) => ({
		json: whole,
		binary: { data: { ...bytes, ...data } as never },
	});

	test.each<[string, INodeExecutionData]>([
		['headers that are null', headers(null)],
		['headers that are a text', headers('x-svc-signature')],
		['headers that are a list', headers([good.headers])],
		['a timestamp that is a list', header([good.headers['x-svc-timestamp']])],
		['a timestamp that is an object', header({ toString: 'x' })],
		['a timestamp that is true', header(true)],
		['names in another case', headers({ 'X-SVC-Timestamp': '1', 'X-SVC-Signature': 'a' })],
		['a text in place of bytes', body({ data: good.body.toString() })],
		['no bytes', body({ data: undefined })],
		[
			'a file that is elsewhere',
			body({ id: 'filesystem-v2:../../etc/passwd', data: 'filesystem-v2' }),
		],
		['a file of an unknown kind', body({ id: 'other:1', data: 'other' })],
	])('is refused: %s', async (_title, item) => {
		const settings = { onError: 'continueErrorOutput' as const };
		const { task, run } = await runAction({ parameters: withDefaults(), items: [item], settings });
		const [through, aside] = task?.data?.main ?? [];
		expect(through).toEqual([]);
		expect(aside).toMatchObject([{ json: { error: matching(/./) } }]);
		expectNoSecrets(run);
	});

	test.each(['constructor', '__proto__', 'toString'])('nor the field %s', async (name) => {
		const parameters = withDefaults({ binaryPropertyName: name });
		const { json, error } = await runAction({ parameters, items: [received(good)] });
		expect(json).toEqual([]);
		expect(error).toBeDefined();
	});
});

test('an error repeats nothing that a sender chose', async () => {
	const mark = 'chosen-by-the-sender';
	const forged = withHeaders(delivery(notification({ requestId: mark })), {
		'x-svc-signature': mark,
		'x-svc-delivery-id': mark,
	});
	for (const one of [forged, withHeaders(forged, { 'x-svc-timestamp': mark })]) {
		const { message, description } = await runError(verify([one]));
		expect(`${message} ${description}`).not.toContain(mark);
	}
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
