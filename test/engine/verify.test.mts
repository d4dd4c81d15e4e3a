import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { Expression } from 'n8n-workflow';
import {
	payload,
	signed,
	valueOf,
	withBody,
	withHeader,
	type Delivery,
} from '../support/delivery.mts';
import { CREDENTIAL } from './support/storedCredential.mts';
import { runAction, type ActionRun } from './support/engine.mts';
import { containing, matching } from '../support/matchers.mts';
import { deliver } from './support/triggerHost.mts';

// The output of n8n's own Webhook node with Raw Body: the JSON is n8n's interpretation of the request;
// only the binary field contains the signed bytes.

const notified = (changes: IDataObject) => signed({ body: payload(changes) });

const headersOf = ({ headers }: Delivery) =>
	Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));

const received = (sent: Delivery, field = 'data'): INodeExecutionData => ({
	json: { headers: headersOf(sent), params: {}, query: {}, body: { requestId: 'unsigned' } },
	binary: { [field]: { data: sent.body.toString('base64'), mimeType: 'application/json' } },
});

/** Runs Verify for these items. */
const verify = async (
	items: INodeExecutionData[],
	options: INodeParameters = {},
	more: Partial<ActionRun> = {},
) => {
	const parameters = { resource: 'notification', operation: 'verify', options };
	const run = await runAction({ parameters, items, ...more });
	return { ...run, said: `${run.error?.message} ${run.error?.description}` };
};

test("gives the trigger's items in their order, and nothing that was not signed", async () => {
	const sent = ['a', 'b', 'c'].map((requestId) => notified({ requestId, guestLink: 'theirs' }));
	const { started } = await deliver(sent);
	const { items } = await verify(sent.map((one) => received(one)));
	expect(items).toEqual(started.map((json, item) => ({ json, pairedItem: { item } })));
});

test('without options no expression is evaluated, which would cost a virtual machine', async () => {
	const { prototype } = Expression as unknown as { prototype: { renderExpression: () => unknown } };
	const evaluated = jest.spyOn(prototype, 'renderExpression');
	const good = received(signed());
	expect((await verify([good])).json).toHaveLength(1);
	expect(evaluated).not.toHaveBeenCalled();
	expect((await verify([good], { maximumAge: '={{ 300 }}' })).json).toHaveLength(1);
	expect(evaluated).toHaveBeenCalled();
});

test.each<[INodeParameters, string]>([
	[{}, 'differs from now by more than Options > Maximum Age allows (300 s)'],
	[{ maximumAge: 0 }, 'verified'],
	[{ maximumAge: 4000 }, 'verified'],
])('with the options %j, what was signed an hour ago is: %s', async (options, said) => {
	const old = signed({ timestamp: String(Date.now() - 3_600_000) });
	const { error } = await verify([received(old)], options);
	expect(error?.message ?? 'verified').toContain(said);
});

const anyEvent = { parameters: { triggerOn: 'anyStatus', options: { unknownEvents: true } } };

test.each<[string, Delivery, object]>([
	['expressions', notified({ note: '={{ 1 + 1 }}' }), { note: '={{ 1 + 1 }}' }],
	['a secret', notified({ note: CREDENTIAL.apiKey }), { note: '(hidden)' }],
	['no time in the body', notified({ timestamp: undefined }), { notifiedAt: null }],
	['no delivery ID', withHeader(signed(), 'X-SVC-Delivery-Id'), { deliveryId: null }],
	['no event in a header', withHeader(signed(), 'X-SVC-Event'), {}],
])('%s: taken as the trigger takes it, with the same item', async (_title, sent, item) => {
	const run = await deliver([sent], anyEvent);
	expect(run).toMatchObject({ responses: ['200 accepted'], started: [item], logged: [] });
	expect((await verify([received(sent)])).json).toEqual(run.started);
});

// Which signatures, times and bodies count: see test/unit/fuzz.test.mts.
test.each<[string, Delivery, string]>([
	['another body', withBody(signed(), '{}'), '401 unverified'],
	['two signatures', withHeader(signed(), 'X-SVC-Signature', 'one, two'), '401 unverified'],
	['a byte more than 1 MiB', signed({ body: ' '.repeat(1024 * 1024 + 1) }), '413 too large'],
	['no request ID', notified({ requestId: '' }), '400 malformed'],
])('%s: refused as the trigger refuses it', async (_title, sent, response) => {
	const logged = [matching(/^Delivery refused \((\w|\s)+\): /)];
	expect(await deliver([sent], anyEvent)).toEqual({ responses: [response], started: [], logged });
	const { said } = await verify([received(sent)]);
	expect(said).toMatch(/^The notification was refused: .* Do not trust its content/);
});

describe('an item that no Webhook node gives is refused', () => {
	const good = signed();
	const { json, binary } = received(good);
	const headers = (value: unknown) => ({ json: { ...json, headers: value } as never, binary });
	const body = (changes: object) =>
		({ json, binary: { data: { ...binary?.data, ...changes } } }) as INodeExecutionData;
	const listOfTimes = [valueOf(good, 'X-SVC-Timestamp')];

	const noTime = 'The notification was refused: X-SVC-Timestamp is missing';
	const unreadable = 'The raw body could not be read';
	const file = { id: 'filesystem-v2:../../etc/passwd', data: 'filesystem-v2' };

	test.each<[string, INodeExecutionData, string, INodeParameters?]>([
		['headers that are null', headers(null), noTime],
		['a list of times', headers({ ...headersOf(good), 'x-svc-timestamp': listOfTimes }), noTime],
		[
			'a text in place of bytes',
			body({ data: good.body.toString() }),
			'The notification was refused: X-SVC-Signature does not match the body with any webhook secret',
		],
		['no bytes', body({ data: undefined }), unreadable],
		['a file elsewhere', body(file), unreadable],
		[
			'a field that every object inherits',
			received(good),
			unreadable,
			{ binaryPropertyName: 'toString' },
		],
	])('%s', async (_title, item, error, options = {}) => {
		const settings = { onError: 'continueErrorOutput' as const };
		const { outputs } = await verify([item], options, { settings });
		expect(outputs).toMatchObject([[], [{ json: { error } }]]);
	});

	test('and the body may be in another binary field if that is entered', async () => {
		const run = await verify([received(good, 'body')], { binaryPropertyName: 'body' });
		expect(run.json).toHaveLength(1);
	});
});

test('a line of previous secrets that is too short refuses only what another secret signed', async () => {
	const credential = { previousWebhookSecrets: 'too short' };
	expect((await verify([received(signed())], {}, { credential })).json).toHaveLength(1);
	const other = signed({ secret: 'the oldest secret' });
	const { said } = await verify([received(other)], {}, { credential });
	expect(said).toContain('Line 1 of Previous Webhook Secrets');
	const { responses, logged } = await deliver([other], { credential });
	expect(responses).toEqual(['401 unverified']);
	expect(logged[0]).toContain('with any webhook secret; Line 1 of Previous Webhook Secrets');
});

test('an error repeats nothing that a sender chose', async () => {
	const mark = 'chosen-by-the-sender';
	const marked = withHeader(notified({ requestId: mark }), 'X-SVC-Delivery-Id', mark);
	const forged = withHeader(marked, 'X-SVC-Signature', mark);
	for (const one of [forged, withHeader(forged, 'X-SVC-Timestamp', mark)]) {
		const { said } = await verify([received(one)]);
		expect(said).toContain('The notification was refused');
		expect(said).not.toContain(mark);
	}
});

test.each<[string, Partial<INodeExecutionData>, IDataObject, string]>([
	['Raw Body', { binary: undefined }, {}, 'Under Options, add Raw Body. 2. Turn its switch on'],
	['the headers', { json: {} }, {}, 'X-SVC-Timestamp is missing'],
	['a webhook secret', {}, { webhookSecret: '' }, 'no webhook secret: enter one'],
])('what the workflow lacks is said: %s', async (_title, lacking, fields, said) => {
	const credential = fields as ActionRun['credential'];
	const run = await verify([{ ...received(signed()), ...lacking }], {}, { credential });
	expect(run.said).toEqual(containing(said));
});
