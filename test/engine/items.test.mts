import type { INodeParameters } from 'n8n-workflow';
import { expectNoSecrets, runAction } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, withFaultServer } from './support/faultServer.mts';
import { containing } from './support/matchers.mts';

const CREATE = { resource: 'collectionRequest', operation: 'create' };
const FIVE = [1, 2, 3, 4, 5].map((n) => ({ n }));

/** The template ID is the ID of the answer, so that items and requests can be told apart. */
const echoTemplate: Answer = (response, request, index) => {
	const { templateId } = JSON.parse(request.body) as { templateId: string };
	json(201, { _id: `r-${templateId}` })(response, request, index);
};

/** Like {@link echoTemplate}, but refuses the third request. */
const refuseThird: Answer = (response, request, index) =>
	(index === 2 ? json(422, { message: 'no third' }) : echoTemplate)(response, request, index);

const templatesOf = (requests: Array<{ body: string }>) =>
	requests.map(({ body }) => (JSON.parse(body) as { templateId: string }).templateId);

async function runFive(answer: Answer, onError: 'stopWorkflow' | 'continueRegularOutput') {
	return await withFaultServer(answer, async ({ url, requests }) => {
		const outcome = await runAction({
			parameters: { ...CREATE, templateId: '=t{{ $json.n }}' },
			input: FIVE,
			credential: { productionBaseUrl: url },
			settings: { onError },
		});
		expectNoSecrets(outcome.run);
		return { ...outcome, templates: templatesOf(requests) };
	});
}

test('expressions are read anew for every item, and each output item is linked to its input', async () => {
	const { json: items, items: whole, templates } = await runFive(echoTemplate, 'stopWorkflow');
	expect(templates).toEqual(['t1', 't2', 't3', 't4', 't5']);
	expect(items.map(({ _id }) => _id)).toEqual(['r-t1', 'r-t2', 'r-t3', 'r-t4', 'r-t5']);
	expect(whole.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2, 3, 4].map((item) => ({ item })),
	);
});

test('expressions inside participants and additional fields belong to their item', async () => {
	await withFaultServer(echoTemplate, async ({ url, requests }) => {
		const parameters: INodeParameters = {
			...CREATE,
			templateId: '=t{{ $json.n }}',
			participants: { participant: [{ email: '=p{{ $json.n }}@example.com' }] },
			additionalFields: { webhookIdentifier: '=w{{ $json.n }}' },
		};
		const credential = { productionBaseUrl: url };
		await runAction({ parameters, input: FIVE.slice(0, 2), credential });
		expect(requests.map(({ body }) => JSON.parse(body) as object)).toEqual([
			expect.objectContaining({
				participantList: [{ email: 'p1@example.com', isAdmin: false }],
				webhookIdentifier: 'w1',
			}),
			expect.objectContaining({
				participantList: [{ email: 'p2@example.com', isAdmin: false }],
				webhookIdentifier: 'w2',
			}),
		]);
	});
});

describe('the third of five creates is refused', () => {
	test('with Continue On Fail: 5 requests, 4 items and 1 item with its error', async () => {
		const {
			json: items,
			items: whole,
			error,
			templates,
		} = await runFive(refuseThird, 'continueRegularOutput');
		expect(error).toBeUndefined();
		expect(templates).toEqual(['t1', 't2', 't3', 't4', 't5']);
		expect(items.map(({ _id }) => _id)).toEqual(['r-t1', 'r-t2', undefined, 'r-t4', 'r-t5']);
		expect(items[2]).toEqual({
			error: 'The service refused the request (HTTP 422)',
			message: containing('no third'),
		});
		expect(whole[2]?.error).toBeUndefined();
		expect(whole.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4].map((item) => ({ item })),
		);
	});

	test('without it: the node stops, and the first two are not sent again', async () => {
		const { json: items, error, templates } = await runFive(refuseThird, 'stopWorkflow');
		expect(error).toMatchObject({ httpCode: '422', context: { itemIndex: 2 } });
		expect(items).toEqual([]);
		expect(templates.slice(0, 3)).toEqual(['t1', 't2', 't3']);
		expect(new Set(templates).size).toBe(templates.length);
	});
});

test('with Continue On Fail an item that cannot be sent becomes an item with its error', async () => {
	await withFaultServer(echoTemplate, async ({ url, requests }) => {
		const { json: items, error } = await runAction({
			parameters: {
				...CREATE,
				templateId: '=t{{ $json.n }}',
				minimumParticipants: '={{ $json.n === 1 ? "many" : 1 }}',
			},
			input: FIVE.slice(0, 2),
			credential: { productionBaseUrl: url },
			settings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(items[0]).toMatchObject({ error: 'Minimum Participants is not a whole number: many' });
		expect(items[1]).toMatchObject({ _id: 'r-t2' });
		expect(templatesOf(requests)).toEqual(['t2']);
	});
});

test('a failing expression is an error of its item', async () => {
	await withFaultServer(echoTemplate, async ({ url, requests }) => {
		const { error } = await runAction({
			parameters: { ...CREATE, templateId: "={{ $('Missing').item.json.id }}" },
			input: [{}],
			credential: { productionBaseUrl: url },
		});
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(requests).toEqual([]);
	});
});

test('without a credential the user is told to select one', async () => {
	const { error } = await runAction({
		parameters: { ...CREATE, templateId: 't1' },
		settings: { credentials: {} },
	});
	expect(error?.message).toMatch(/credentials/i);
});

test('no input items: nothing is sent and nothing comes out', async () => {
	await withFaultServer(echoTemplate, async ({ url, requests }) => {
		const { json: items, error } = await runAction({
			parameters: { ...CREATE, templateId: 't1' },
			input: [],
			credential: { productionBaseUrl: url },
		});
		expect([items, error]).toEqual([[], undefined]);
		expect(requests).toEqual([]);
	});
});

test('an operation that is not known lets no item through', async () => {
	const { json: items } = await runAction({
		parameters: { resource: 'notification', operation: 'verifyMore' },
		input: [{ unverified: 1 }, { unverified: 2 }],
		settings: { onError: 'continueErrorOutput' },
	});
	expect(items).toEqual([]);
});

test.each(['destroy', 'constructor', 'toString', '__proto__'])(
	'an operation that is not known is refused: %s',
	async (operation) => {
		const { error } = await runAction({ parameters: { resource: 'share', operation } });
		expect(error?.message).toBe(`The operation "${operation}" of "share" is not known`);
	},
);
