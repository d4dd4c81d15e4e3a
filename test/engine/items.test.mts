import type { INode } from 'n8n-workflow';
import type { ActionRun } from './support/engine.mts';
import { runAction } from './support/engine.mts';
import { by, json } from './support/faultServer.mts';
import { containing } from '../support/matchers.mts';
import { CREATE } from './support/operations.mts';

const FIVE = [1, 2, 3, 4, 5].map((n) => ({ n }));
const paired = [0, 1, 2, 3, 4].map((item) => ({ pairedItem: { item } }));
const GO_ON: Partial<INode> = { onError: 'continueRegularOutput' };

const sentBody = ({ body }: { body: string }) => JSON.parse(body) as { templateId: string };

/** The template ID is the ID of the response, so that items and requests can be told apart. */
const echoTemplate = by((request) => json(201, { _id: `r-${sentBody(request).templateId}` }));

/** The same, but refuses the third request. */
const refuseThird = by((_request, index) =>
	index === 2 ? json(422, { message: 'no third' }) : echoTemplate,
);

/** Creates one request for each of five items, unless told otherwise. */
async function create({ parameters, ...more }: Partial<ActionRun>) {
	const run = await runAction({
		parameters: { ...CREATE, templateId: '=t{{ $json.n }}', ...parameters },
		answer: echoTemplate,
		input: FIVE,
		...more,
	});
	return { ...run, templates: run.requests.map((request) => sentBody(request).templateId) };
}

test('expressions are read anew for every item, and each output item is linked to its input', async () => {
	const { json: out, items, templates } = await create({});
	expect(templates).toEqual(['t1', 't2', 't3', 't4', 't5']);
	expect(out.map(({ _id }) => _id)).toEqual(['r-t1', 'r-t2', 'r-t3', 'r-t4', 'r-t5']);
	expect(items).toMatchObject(paired);
});

test('expressions inside participants and additional fields belong to their item', async () => {
	const { requests } = await create({
		parameters: {
			participants: { participant: [{ email: '=p{{ $json.n }}@example.com' }] },
			additionalFields: { webhookIdentifier: '=w{{ $json.n }}' },
		},
		input: FIVE.slice(0, 2),
	});
	expect(requests.map(sentBody)).toMatchObject(
		[1, 2].map((n) => ({
			participantList: [{ email: `p${n}@example.com`, isAdmin: false }],
			webhookIdentifier: `w${n}`,
		})),
	);
});

describe('the third of five creates is refused', () => {
	test('with Continue On Fail: 5 requests, 4 items and 1 item with its error', async () => {
		const run = await create({ answer: refuseThird, settings: GO_ON });
		expect(run.error).toBeUndefined();
		expect(run.templates).toEqual(['t1', 't2', 't3', 't4', 't5']);
		expect(run.json.map(({ _id }) => _id)).toEqual(['r-t1', 'r-t2', undefined, 'r-t4', 'r-t5']);
		expect(run.json[2]).toEqual({
			error: 'The service refused the request (HTTP 422)',
			message: containing('no third'),
		});
		expect(run.items[2]?.error).toBeUndefined();
		expect(run.items).toMatchObject(paired);
	});

	test('without it: the node stops, and the first two are not sent again', async () => {
		const { json: out, error, templates } = await create({ answer: refuseThird });
		expect(error).toMatchObject({ httpCode: '422', context: { itemIndex: 2 } });
		expect(out).toEqual([]);
		expect(templates.slice(0, 3)).toEqual(['t1', 't2', 't3']);
		expect(new Set(templates).size).toBe(templates.length);
	});
});

test('several items for one come in the order of the input, whichever is answered first', async () => {
	let release = () => {};
	const lastArrived = new Promise<void>((resolve) => (release = resolve));
	const people = { participant: [{ name: 'a' }, { name: 'b' }] };
	const { json: out, items } = await create({
		parameters: { output: 'participants', participants: people },
		answer: (...received) => {
			if (received[2] === 4) release();
			const { templateId } = sentBody(received[1]);
			const wait = templateId === 't1' ? lastArrived : Promise.resolve();
			void wait.then(() => echoTemplate(...received));
		},
	});
	const wanted = FIVE.flatMap(({ n }) => ['a', 'b'].map((name) => [`r-t${n}`, name]));
	expect(out.map(({ requestId, name }) => [requestId, name])).toEqual(wanted);
	const pairs = FIVE.flatMap(({ n }) => [{ item: n - 1 }, { item: n - 1 }]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
});

test('with Continue On Fail an item that cannot be sent becomes an item with its error', async () => {
	const { error, json, templates } = await create({
		parameters: { minimumParticipants: '={{ $json.n === 1 ? "many" : 1 }}' },
		input: FIVE.slice(0, 2),
		settings: GO_ON,
	});
	expect(error).toBeUndefined();
	const failed = { error: 'Minimum Participants is not a whole number: many' };
	expect(json).toMatchObject([failed, { _id: 'r-t2' }]);
	expect(templates).toEqual(['t2']);
});

test('a failing expression is an error of its item', async () => {
	const run = await create({ parameters: { templateId: "={{ $('Missing').item.json.id }}" } });
	expect(run).toMatchObject({ error: { context: { itemIndex: 0 } }, sent: 0 });
});

test('without a credential the user is told to select one', async () => {
	const { error } = await create({ settings: { credentials: {} } });
	expect(error?.message).toMatch(/credentials/i);
});

test('no input items: nothing is sent and nothing comes out', async () => {
	expect(await create({ input: [] })).toMatchObject({ json: [], error: undefined, sent: 0 });
});

test.each<[string, Partial<ActionRun>, RegExp]>([
	['an unknown operation', { parameters: { operation: 'verifyMore' } }, /is not known/],
	['an unusable credential', { credential: { productionBaseUrl: 'nowhere' } }, /API Base URL/],
])('%s lets no item through: each has the error', async (_title, given, message) => {
	const { outputs, sent } = await create({
		...given,
		settings: { onError: 'continueErrorOutput' },
	});
	const error: unknown = expect.stringMatching(message);
	expect(outputs).toMatchObject([[], FIVE.map(() => ({ json: { error } }))]);
	expect(sent).toBe(0);
});
