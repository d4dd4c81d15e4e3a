import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { runAction, stopExecution } from './support/engine.mts';
import { json, service, text, type Statuses } from './support/faultServer.mts';

/**
 * Runs Check Status for these collection requests, which the service has with these statuses; `ids`
 * are those on each output, or the errors.
 */
async function check(
	statuses: Statuses,
	requestIds: string[],
	{ settings, ...parameters }: INodeParameters & { settings?: Partial<INode> } = {},
) {
	const run = await runAction({
		parameters: {
			resource: 'collectionRequest',
			operation: 'checkStatus',
			requestId: '={{ $json.requestId }}',
			...parameters,
		},
		settings,
		input: requestIds.map((requestId) => ({ requestId })),
		answer: service(statuses),
	});
	const ids = run.outputs.map((items) =>
		(items ?? []).map(({ json: { requestId, error } }) => requestId ?? error),
	);
	return { ...run, ids };
}

test('each item leaves by the output of its status, with what Get gives, linked to its input item', async () => {
	const statuses = { a: 'Completed', b: 'open', c: 'completed' };
	const { outputs, sent } = await check(statuses, ['b', 'a', 'gone', 'c']);
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
	const gone: IDataObject = {
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
	expect(sent).toBe(4);
});

test('several items that name the same one: one read, and an output item for each', async () => {
	const { ids, sent } = await check({ a: 'completed', b: 'open' }, ['a', 'b', 'a', 'a']);
	expect([ids, sent]).toEqual([[['a', 'a', 'a'], ['b']], 2]);
});

test.each<[INodeParameters, string[], string[]]>([
	[{ checkFor: 'open' }, ['a', 'b'], ['c']],
	[{ checkFor: 'statuses', checkForStatuses: ['ARCHIVED', 'open'] }, ['b', 'c'], ['a']],
])(
	'with %j, %j leave by the first output, and %j by the second one',
	async (parameters, ...ids) => {
		const statuses = { a: 'completed', b: 'open', c: 'archived' };
		expect((await check(statuses, ['a', 'b', 'c'], parameters)).ids).toEqual(ids);
	},
);

test.each([400, 404, 410, 422, 503])(
	'HTTP %i for one of them: it counts as not completed and says why, and a hint says so',
	async (status) => {
		const run = await check({ a: 'completed', b: json(status, {}) }, ['a', 'b']);
		const readError = run.outputs[1]?.[0]?.json.readError as string;
		expect(readError).toContain(`HTTP ${status}`);
		const left = 'They leave by Not Completed, and readError says why';
		const message = `1 of 2 items could not be read. ${left}: ${readError}.`;
		expect(run).toMatchObject({ ids: [['a'], ['b']], hints: [{ message }] });
	},
);

test.each<[number, unknown[][]]>([
	[404, [['a'], ['b'], []]],
	[403, [['a'], [], [containing('not allowed to read')]]],
	[422, [['a'], [], [containing('refused the request to read')]]],
	[503, [['a'], [], [containing('temporarily unavailable')]]],
])('with the error output, HTTP %i for one of them', async (status, ids) => {
	const settings = { onError: 'continueErrorOutput' } as const;
	const run = await check({ a: 'completed', b: json(status, {}) }, ['a', 'b'], { settings });
	expect(run.ids).toEqual(ids);
});

test('each item has the error of the one that it names, also if another item names the same', async () => {
	const settings = { onError: 'continueErrorOutput' } as const;
	const { outputs } = await check({ a: 'open', b: json(403, {}) }, ['b', 'a', 'b'], { settings });
	expect(outputs[2]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
});

test.each<[string, Statuses, string]>([
	['the service is down', { a: json(503, {}), b: json(503, {}) }, 'temporarily unavailable'],
	['the service knows none of them', {}, 'does not know the collection request "a"'],
	['it knows one not, and is down', { b: json(503, {}) }, 'does not know the collection request'],
	['the key may not read', { a: json(403, {}), b: json(403, {}) }, 'not allowed to read'],
	['the key may not read one of them', { a: 'open', b: json(403, {}) }, 'not allowed to read'],
	['the key is refused', { a: json(401, {}), b: json(401, {}) }, 'was refused'],
	['the key is refused in between', { a: 'completed', b: json(401, {}) }, 'was refused'],
	['a login page responds', { a: text(200, '<html>'), b: text(200, '<html>') }, 'web page'],
	['somebody stops the execution', { a: 'completed', b: stopExecution }, 'was cancelled'],
])('nobody is said to be missing because %s', async (_title, statuses, message) => {
	const { error, outputs } = await check(statuses, ['a', 'b']);
	expect(error?.message).toContain(message);
	expect(outputs).toEqual([]);
});

test.each<[INode['onError'], unknown[][]]>([
	['continueRegularOutput', [['a'], ['Request ID is empty', 'b']]],
	['continueErrorOutput', [['a'], ['b'], ['Request ID is empty']]],
])('with %s, an item without a request ID does not count as completed', async (onError, ids) => {
	const run = await check({ a: 'completed', b: 'open' }, ['a', '', 'b'], { settings: { onError } });
	expect(run.ids).toEqual(ids);
});

test('an agent gets one list, each with its status', async () => {
	const settings = { type: 'n8n-nodes-data-collection.dataCollectionTool' };
	const { outputs } = await check({ a: 'completed', b: 'open' }, ['b', 'a', 'gone'], { settings });
	expect(outputs).toMatchObject([
		[
			{ json: { shareStatus: 'open' } },
			{ json: { shareStatus: 'completed' } },
			{ json: { shareStatus: null } },
		],
	]);
	// An agent calls it with one item.
	const alone = await check({ b: 'open' }, ['b'], { settings });
	expect(alone.outputs).toMatchObject([[{ json: { isReached: false } }]]);
});

test.each([
	['Always Output Data cannot be used with this operation', { alwaysOutputData: true }],
	['Execute Once cannot be used with this operation', { executeOnce: true }],
])('it is refused: %s', async (message, settings) => {
	const { error, sent } = await check({}, ['a', 'b'], { settings });
	expect([error?.message, sent]).toEqual([message, 0]);
});
