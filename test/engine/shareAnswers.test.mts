import type { IDataObject } from 'n8n-workflow';
import { runAction, runError } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, withFaultServer } from './support/faultServer.mts';

const GET = { resource: 'share', operation: 'getAnswers', requestId: 'r1' };
const REQUEST = { _id: 'r1', shareId: 's1' };
const SHARE = {
	_id: 's1',
	collectionRequestId: 'r1',
	status: 'completed',
	lastUpdateTime: '2026-01-02T00:00:00.000Z',
	otherFields: [
		{ label: 'Size', value: 'M', type: 'text', isMandatory: true },
		{ label: 'Size', value: '', type: 'text', isMandatory: false },
		{ value: 7 },
	],
};

const resources =
	(share: IDataObject): Answer =>
	(response, request, index) => {
		const isShare = request.url.endsWith('/share/s1');
		const isRequest = request.url.endsWith('/collection-request/r1');
		json(isShare || isRequest ? 200 : 404, isShare ? share : REQUEST)(response, request, index);
	};

const run = async (parameters: IDataObject, share: IDataObject = SHARE) =>
	await withFaultServer(
		resources(share),
		async ({ url }) =>
			await runAction({
				parameters: { ...GET, ...parameters } as never,
				credential: { productionBaseUrl: url },
			}),
	);

test.each<[string, IDataObject]>([
	['the ID of its request', {}],
	['its own ID', { shareBy: 'shareId', shareId: 's1' }],
])('one item for each answer, in their order, by %s', async (_title, parameters) => {
	const { json: rows, items } = await run(parameters);
	const about = { requestId: 'r1', shareId: 's1' };
	const rest = { status: 'completed', lastUpdateTime: SHARE.lastUpdateTime };
	expect(rows).toEqual([
		{ ...about, position: 1, label: 'Size', value: 'M', type: 'text', isMandatory: true, ...rest },
		{ ...about, position: 2, label: 'Size', value: '', type: 'text', isMandatory: false, ...rest },
		{ ...about, position: 3, label: null, value: 7, type: null, isMandatory: null, ...rest },
	]);
	expect(Object.keys(rows[0] ?? {})).toEqual([
		'requestId',
		'shareId',
		'position',
		'label',
		'value',
		'type',
		'isMandatory',
		'status',
		'lastUpdateTime',
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
});

test.each([[undefined], [null], ['x'], [[]], [[null, 1]]])(
	'fields %j give no item',
	async (otherFields) => {
		const { json: rows, error } = await run({}, { ...SHARE, otherFields } as never);
		expect([rows, error]).toEqual([[], undefined]);
	},
);

test.each(['get', 'getAnswers'])(
	'%s by share ID recognises the ID of a collection request',
	async (operation) => {
		await withFaultServer(resources(SHARE), async ({ url }) => {
			const parameters = { ...GET, operation, shareBy: 'shareId', shareId: 'r1' };
			const error = await runError({ parameters, credential: { productionBaseUrl: url } });
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message: '"r1" is the ID of a collection request, not of a share',
				itemIndex: 0,
			});
			expect(error.description).toContain('Get By');
		});
	},
);

test('an ID that is neither is told as one', async () => {
	const { error } = await run({ shareBy: 'shareId', shareId: 'nothing' });
	expect(error?.message).toBe('The service does not know the share "nothing" (HTTP 404)');
});
