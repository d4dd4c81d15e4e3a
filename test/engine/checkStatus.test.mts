import type { IDataObject, INode } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { runAction, runError, stopExecution, type ActionRun } from './support/engine.mts';
import { json, text } from './support/faultServer.mts';
import { READ } from './support/operations.mts';
import { itemsOf, service, type Statuses } from './support/waitNode.mts';

/** Runs Check Status for these collection requests, which the service has with these statuses. */
async function check(statuses: Statuses, ids: string[], more: Partial<ActionRun> = {}) {
	const run = await runAction({
		answer: service(statuses),
		input: itemsOf(...ids),
		...more,
		parameters: {
			...READ,
			operation: 'checkStatus',
			requestId: '={{ $json.requestId }}',
			...more.parameters,
		},
	});
	const [first, second] = run.outputs.map((items) => (items ?? []).map(({ json: item }) => item));
	const idsOf = (items: IDataObject[] = []) =>
		items.map(({ requestId, error }) => requestId ?? error);
	return { ...run, first, second, ids: [idsOf(first), idsOf(second)] };
}

const AT_THE_DEADLINE = { a: 'Completed', b: 'open', c: 'completed' };

test('each item leaves by the output of its status, with what Get gives, linked to its input item', async () => {
	const { outputs, urls } = await check(AT_THE_DEADLINE, ['b', 'a', 'gone', 'c']);
	const itemOf = (_id: string, item: number, shareStatus: string, isReached: boolean) => ({
		json: {
			requestId: _id,
			guestLink: `https://collect.example.com/request/${_id}`,
			_id,
			title: `Title ${_id}`,
			shareStatus,
			isReached,
		},
		pairedItem: { item },
	});
	const gone = {
		requestId: 'gone',
		guestLink: 'https://collect.example.com/request/gone',
		shareStatus: null,
		isReached: false,
		readError: 'The service does not know the collection request "gone" (HTTP 404)',
	};
	expect(outputs).toEqual([
		[itemOf('a', 1, 'Completed', true), itemOf('c', 3, 'completed', true)],
		[itemOf('b', 0, 'open', false), { json: gone, pairedItem: { item: 2 } }],
	]);
	expect(urls).toHaveLength(4);
});

test('several items that name the same one: one read, and an output item for each', async () => {
	const { ids, sent } = await check(AT_THE_DEADLINE, ['a', 'b', 'a', 'a']);
	expect([ids, sent]).toEqual([[['a', 'a', 'a'], ['b']], 2]);
});

test.each<[string, IDataObject, string[], string[]]>([
	['opened', { checkFor: 'open' }, ['a', 'b', 'c'], ['d']],
	[
		'entered',
		{ checkFor: 'statuses', checkForStatuses: ['ARCHIVED', 'open'] },
		['b', 'd'],
		['a', 'c'],
	],
])('statuses may be %s, too', async (_title, parameters, reached, others) => {
	const statuses = { ...AT_THE_DEADLINE, d: 'archived' };
	const run = await check(statuses, ['a', 'b', 'c', 'd'], { parameters } as Partial<ActionRun>);
	expect(run.ids).toEqual([reached, others]);
});

test.each([400, 403, 404, 410, 422, 503])(
	'HTTP %i for one of them: it counts as not completed and says why, and a hint says so',
	async (status) => {
		const run = await check({ a: 'completed', b: json(status, {}) }, ['a', 'b']);
		const message = containing('1 of 2 items could not be read');
		expect(run).toMatchObject({ ids: [['a'], ['b']], hints: [{ message }] });
		expect(run.second).toMatchObject([{ readError: containing(`HTTP ${status}`) }]);
	},
);

test('the only one is gone', async () => {
	expect((await check({}, ['gone'])).ids).toEqual([[], ['gone']]);
});

describe('nobody is said to be missing because', () => {
	const down = { a: json(503, {}), b: json(503, {}) };
	const forbidden = { a: json(403, {}), b: json(403, {}) };
	const refused = { a: json(401, {}), b: json(401, {}) };
	const webPage = { a: text(200, '<html>'), b: text(200, '<html>') };

	test.each<[string, Statuses, RegExp]>([
		['the service is down', down, /temporarily unavailable/],
		['the key may not read', forbidden, /not allowed to read/],
		['the key is refused', refused, /was refused/],
		['a login page responds', webPage, /web page/],
	])('%s', async (_title, statuses, message) => {
		const { error } = await check(statuses, ['a', 'b']);
		expect(error?.message).toMatch(message);
	});

	test('the key is refused in between', async () => {
		const { error } = await check({ a: 'completed', b: json(401, {}) }, ['a', 'b']);
		expect(error?.message).toMatch(/was refused/);
	});

	test('somebody stops the execution', async () => {
		const slow: Statuses[string] = (response) => {
			stopExecution();
			json(503, {})(response, {} as never, 0);
		};
		const { outputs } = await check({ a: 'completed', b: slow }, ['a', 'b']);
		expect(outputs[1] ?? []).toEqual([]);
	});
});

test.each<[INode['onError']]>([['continueRegularOutput'], ['continueErrorOutput']])(
	'with On Error on %s, an item without a request ID does not count as completed',
	async (onError) => {
		const input = [...itemsOf('a'), { requestId: '' }, ...itemsOf('b')];
		const { outputs } = await check(AT_THE_DEADLINE, [], { input, settings: { onError } });
		const shown = outputs.map((items) =>
			(items ?? []).map(({ json: { requestId, error } }) => requestId ?? error),
		);
		const failed = 'Request ID is empty';
		const expected =
			onError === 'continueRegularOutput' ? [['a'], [failed, 'b']] : [['a'], ['b'], [failed]];
		expect(shown).toEqual(expected);
	},
);

test('an agent gets one list, each with its status', async () => {
	const settings = { type: 'n8n-nodes-data-collection.dataCollectionTool' };
	const { outputs } = await check(AT_THE_DEADLINE, ['b', 'a', 'gone'], { settings });
	const statuses = outputs.map((items) =>
		(items ?? []).map(({ json: { shareStatus } }) => shareStatus),
	);
	expect(statuses).toEqual([['open', 'Completed', null]]);
});

test('a setting that would send an empty item to Completed is refused', async () => {
	const error = await runError({
		parameters: { ...READ, operation: 'checkStatus' },
		settings: { alwaysOutputData: true },
	});
	expect(error.message).toBe('Always Output Data cannot be used with this operation');
});
