import type { INodeParameters } from 'n8n-workflow';
import { runAction, runError } from './support/engine.mts';
import { having } from './support/faultServer.mts';
import { containing } from '../support/matchers.mts';

const GET = { resource: 'share', operation: 'getAnswers', requestId: 'r1' };
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

const get = (parameters: INodeParameters, share: object = SHARE) => ({
	parameters: { ...GET, ...parameters },
	answer: having({ 'collection-request/r1': { _id: 'r1', shareId: 's1' }, 'share/s1': share }),
});

test.each<[string, INodeParameters]>([
	['the ID of its request', {}],
	['its own ID', { shareBy: 'shareId', shareId: 's1' }],
])('one item for each answer, in their order, by %s', async (_title, parameters) => {
	const { json, items } = await runAction(get(parameters));
	const nothing = { label: null, value: null, type: null, isMandatory: null };
	const rows = SHARE.otherFields.map((answer, index) =>
		Object.entries({
			requestId: 'r1',
			shareId: 's1',
			position: index + 1,
			...nothing,
			...answer,
			status: 'completed',
			lastUpdateTime: SHARE.lastUpdateTime,
		}),
	);
	expect(json.map((row) => Object.entries(row))).toEqual(rows);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
});

test.each([[undefined], [null], ['x'], [[]], [[null, 1]]])(
	'fields %j give no item',
	async (otherFields) => {
		const { json, error } = await runAction(get({}, { ...SHARE, otherFields }));
		expect([json, error]).toEqual([[], undefined]);
	},
);

describe.each(['get', 'getAnswers'])('%s by share ID', (operation) => {
	const by = (shareId: string) => get({ operation, shareBy: 'shareId', shareId });

	test('recognises the ID of a collection request', async () => {
		expect(await runError(by('r1'))).toMatchObject({
			name: 'NodeApiError',
			message: '"r1" is the ID of a collection request, not of a share',
			description: containing('Get By'),
			itemIndex: 0,
		});
	});

	test('tells an ID that is neither as one', async () => {
		const { message } = await runError(by('nothing'));
		expect(message).toBe('The service does not know the share "nothing" (HTTP 404)');
	});
});
