import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { payload, signed, valueOf, withHeader, type Delivery } from '../support/delivery.mts';
import type { ActionRun } from './support/engine.mts';
import { runAction, runError } from './support/engine.mts';
import { FORGED, genuine, sentAs } from '../support/forgeries.mts';
import { matching } from '../support/matchers.mts';
import { deliver } from './support/triggerHost.mts';

// What n8n's own Webhook node gives out with Raw Body: the JSON says what n8n made of the request,
// and only the binary field holds the bytes that were signed.

const notified = (changes: IDataObject) => signed({ body: payload(changes) });

const headersOf = ({ headers }: Delivery) =>
	Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));

const received = (sent: Delivery, field = 'data'): INodeExecutionData => ({
	json: {
		headers: headersOf(sent),
		params: {},
		query: { requestId: 'unsigned' },
		body: { requestId: 'unsigned' },
	},
	binary: { [field]: { data: sent.body.toString('base64'), mimeType: 'application/json' } },
});

const verify = (
	items: INodeExecutionData[],
	parameters: INodeParameters = {},
	more: Partial<ActionRun> = {},
): ActionRun => ({
	parameters: {
		resource: 'notification',
		operation: 'verify',
		signature: "={{ $json.headers['x-svc-signature'] }}",
		timestamp: "={{ $json.headers['x-svc-timestamp'] }}",
		...parameters,
	},
	items,
	...more,
});

async function verified(...given: Parameters<typeof verify>) {
	const { json, items, error } = await runAction(verify(...given));
	expect(error).toBeUndefined();
	return { json, items };
}

const refusal = async (...given: Parameters<typeof verify>) => await runError(verify(...given));

test("gives the trigger's item, and nothing that was not signed", async () => {
	const good = notified({ extra: { kept: true }, guestLink: 'theirs' });
	const { started } = await deliver([good]);
	const { json, items } = await verified([received(good)]);
	expect(json).toEqual(started);
	expect(items[0]?.binary).toBeUndefined();
	expect(items[0]?.pairedItem).toEqual({ item: 0 });
});

test('each item by itself, in their order', async () => {
	const wanted = ['a', 'b', 'c'].map((requestId) => ({ requestId }));
	const { json } = await verified(wanted.map((one) => received(notified(one))));
	expect(json).toMatchObject(wanted);
});

test('a previous webhook secret is accepted', async () => {
	const old = signed({ secret: 'the-secret-of-last-year' });
	const credential = { previousWebhookSecrets: 'x-the-oldest-one\nthe-secret-of-last-year' };
	expect((await verified([received(old)], {}, { credential })).json).toHaveLength(1);
});

test('the headers and the body may be elsewhere', async () => {
	const good = signed();
	const signature = valueOf(good, 'X-SVC-Signature');
	const timestamp = valueOf(good, 'X-SVC-Timestamp');
	const parameters = { binaryPropertyName: 'body', signature, timestamp };
	const { json } = await verified([{ ...received(good, 'body'), json: {} }], parameters);
	expect(json).toMatchObject([{ deliveryId: null }]);
});

describe('refused, each with its reason', () => {
	test('but not what they are forged from', async () => {
		const { json } = await verified([received(sentAs(genuine()))]);
		expect(json).toHaveLength(1);
	});

	test.each(FORGED)('%s', async (_title, forge) => {
		expect(await refusal([received(sentAs(forge()))])).toMatchObject({
			message: matching(/^The notification was refused: /),
			description: matching(/^Do not use what it says/),
		});
	});

	const signedIn = (seconds: number) =>
		received(signed({ timestamp: String(Date.now() + seconds * 1000) }));

	test.each([-360, 360])('signed %i seconds from now', async (seconds) => {
		expect((await refusal([signedIn(seconds)])).message).toMatch(/maximum age of 300 s/);
	});

	test.each([0, 4000])('not with Maximum Age %i', async (maximumAge) => {
		const { json } = await verified([signedIn(-3600)], { options: { maximumAge } });
		expect(json).toHaveLength(1);
	});

	test.each([
		['a signed body that is no notification', '{"event":1}', /not a notification/],
		['more than 1 MiB', `{"a":"${'x'.repeat(1024 * 1024)}"}`, /larger than 1 MiB/],
	])('%s', async (_title, body, reason) => {
		expect((await refusal([received(signed({ body }))])).message).toMatch(reason);
	});

	test('with Continue On Fail as an item, beside those that were verified', async () => {
		const good = signed();
		const forged = withHeader(good, 'X-SVC-Signature', '0'.repeat(64));
		const settings = { onError: 'continueRegularOutput' as const };
		const { json } = await verified(
			[good, forged].map((one) => received(one)),
			{},
			{ settings },
		);
		expect(json).toMatchObject([{ shareStatus: 'completed' }, { error: matching(/refused/) }]);
	});
});

describe('takes what the trigger takes, with the same item, and refuses the rest', () => {
	const nested = (levels: number) =>
		`{"event":"e","requestId":"r","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
	const small = JSON.stringify(payload());
	const replaced = (from: string, to: string) => () => signed({ body: small.replace(from, to) });
	const noText = Buffer.from(small.replace('o', '\xFF'), 'latin1');
	const filled = (length: number) => () => signed({ body: small.padEnd(length) });
	const having = (changes: IDataObject) => () => notified(changes);
	const at = (digits: number) => String(BigInt(Date.now()) * 1_000_000n).slice(0, digits);
	const stamped = (stamp: () => string) => () => signed({ body: small, timestamp: stamp() });
	const changed =
		(name: string, ...values: string[]) =>
		() =>
			withHeader(signed(), name, ...values);
	const signature = (change: (right: string) => string) => () => {
		const good = signed();
		return withHeader(good, 'X-SVC-Signature', change(valueOf(good, 'X-SVC-Signature')));
	};

	test.each<[string, boolean, () => Delivery]>([
		['a byte order mark, signed', true, () => signed({ body: `\uFEFF${small}` })],
		['bytes that are no text', true, () => signed({ body: noText })],
		['harmful names', true, replaced('{', '{"__proto__":{"a":1},"toString":1,')],
		['one name twice', true, replaced('{', '{"requestId":"first",')],
		['fields of the item', true, having({ deliveryId: 'x', notifiedAt: 'y' })],
		['expressions', true, having({ note: '={{ $json.headers }}{{ 1 + 1 }}' })],
		['1 MiB', true, filled(1024 * 1024)],
		['a byte more', false, filled(1024 * 1024 + 1)],
		['190 levels', true, () => signed({ body: nested(190) })],
		['210 levels', false, () => signed({ body: nested(210) })],
		['100,000 levels', false, () => signed({ body: nested(100_000) })],
		['an empty request ID', false, having({ requestId: '' })],
		['a status that is no text', false, having({ shareStatus: {} })],
		['half a character', true, replaced('e2e', '\\ud800')],
		['seconds', true, stamped(() => at(10))],
		['microseconds', true, stamped(() => at(16))],
		['nanoseconds', true, stamped(() => at(19))],
		['a time with a zero before it', false, stamped(() => `0${at(13)}`)],
		['no delivery ID', true, changed('x-svc-delivery-id')],
		['a delivery ID like an expression', true, changed('x-svc-delivery-id', '={{ 1 }}')],
		['another event in the header', true, changed('x-svc-event', 'other')],
		['two signatures', false, signature((right) => `${right}, ${right}`)],
		['a signature like an expression', false, signature((right) => `={{ "${right}" }}`)],
	])('%s', async (_title, isTaken, make) => {
		const sent = make();
		const { started } = await deliver([sent], { parameters: { triggerOn: 'anyEvent' } });
		const { json, error } = await runAction(verify([received(sent)]));
		expect(started).toHaveLength(isTaken ? 1 : 0);
		expect(json).toEqual(started);
		if (!isTaken) expect(error?.message).toMatch(/^The notification was refused/);
	});
});

describe('an item that no Webhook node gives', () => {
	const good = signed();
	const { json: whole, binary } = received(good);

	const headers = (value: unknown) => ({ json: { ...whole, headers: value } as never, binary });
	const header = (value: unknown) => headers({ ...headersOf(good), 'x-svc-timestamp': value });
	const body = (changes: object) => ({
		json: whole,
		binary: { data: { ...binary?.data, ...changes } as never },
	});

	test.each<[string, INodeExecutionData]>([
		['headers that are null', headers(null)],
		['headers that are a text', headers('x-svc-signature')],
		['headers that are a list', headers([headersOf(good)])],
		['a timestamp that is a list', header([valueOf(good, 'X-SVC-Timestamp')])],
		['a timestamp that is an object', header({ toString: 'x' })],
		['a timestamp that is true', header(true)],
		['names in another case', headers({ 'X-SVC-Timestamp': '1', 'X-SVC-Signature': 'a' })],
		['a text in place of bytes', body({ data: good.body.toString() })],
		['no bytes', body({ data: undefined })],
		['a file elsewhere', body({ id: 'filesystem-v2:../../etc/passwd', data: 'filesystem-v2' })],
		['a file of an unknown kind', body({ id: 'other:1', data: 'other' })],
	])('is refused: %s', async (_title, item) => {
		const settings = { onError: 'continueErrorOutput' as const };
		const { outputs } = await runAction(verify([item], {}, { settings }));
		expect(outputs).toMatchObject([[], [{ json: { error: matching(/./) } }]]);
	});

	test.each(['constructor', '__proto__', 'toString'])('nor the field %s', async (name) => {
		const { json, error } = await runAction(verify([received(good)], { binaryPropertyName: name }));
		expect(json).toEqual([]);
		expect(error).toBeDefined();
	});
});

test('an error repeats nothing that a sender chose', async () => {
	const mark = 'chosen-by-the-sender';
	const forged = ['X-SVC-Signature', 'X-SVC-Delivery-Id'].reduce(
		(sent, name) => withHeader(sent, name, mark),
		notified({ requestId: mark }),
	);
	for (const one of [forged, withHeader(forged, 'X-SVC-Timestamp', mark)]) {
		const { message, description } = await refusal([received(one)]);
		expect(`${message} ${description}`).not.toContain(mark);
	}
});

describe('what the workflow lacks is said', () => {
	const item = received(signed());

	test('Raw Body', async () => {
		expect(await refusal([{ ...item, binary: undefined }])).toMatchObject({
			message: 'The item has no binary field "data"',
			description: matching(/Raw Body/),
		});
	});

	test('the headers', async () => {
		const { message } = await refusal([{ ...item, json: {} }]);
		expect(message).toMatch(/X-SVC-Timestamp is missing/);
	});

	test.each([
		['no webhook secret', { webhookSecret: '' }, /no webhook secret: enter one/],
		['a lost secret', { previousWebhookSecrets: '__n8n_BLANK_VALUE_e5\nx' }, /secret was lost/],
	])('%s', async (_title, credential, message) => {
		expect((await refusal([item], {}, { credential })).message).toMatch(message);
	});
});
