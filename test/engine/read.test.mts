import type { INodeParameters } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import type { ActionRun } from './support/engine.mts';
import { runAction, runError } from './support/engine.mts';
import { having } from './support/faultServer.mts';
import { READ } from './support/operations.mts';

const OPEN = { _id: 'open', shareStatus: 'open' };
const DONE = { _id: 'done', shareStatus: 'completed', shareId: 's1' };
const SHARE = {
	_id: 's1',
	collectionRequestId: 'done',
	template: { _id: 't1' },
	createTime: '2026-01-01T00:00:00.000Z',
	status: 'completed',
	lastUpdateTime: '2026-01-02T00:00:00.000Z',
	otherFields: [
		{ label: 'Size', value: 'M', type: 'text', isMandatory: true },
		{ label: 'Size', value: '', type: 'text', isMandatory: false },
		{ value: 7 },
	],
};

const linkOf = (id: string) => ({
	requestId: id,
	guestLink: `https://collect.example.com/request/${id}`,
});

const read = (parameters: INodeParameters, share: object = SHARE): ActionRun => ({
	parameters: { ...READ, ...parameters },
	answer: having({
		'collection-request/open': OPEN,
		'collection-request/done': DONE,
		'share/s1': share,
	}),
});

const ofShare = { resource: 'share', operation: 'get' };
const answers = { ...ofShare, operation: 'getAnswers' };
const byShare = { shareBy: 'shareId', shareId: 's1' };
const guestLink = { operation: 'getGuestLink' };
const options = { includeShare: true };

const readDone = ['/di/collection-request/done', '/di/share/s1'];
const simplified = {
	...linkOf('done'),
	shareId: 's1',
	status: 'completed',
	answers: { Size: 'M', 'Size (2)': '', '': 7 },
	participants: [],
	templateId: 't1',
	createTime: SHARE.createTime,
	lastUpdateTime: SHARE.lastUpdateTime,
};
const rows = SHARE.otherFields.map((answer, index) => ({
	requestId: 'done',
	shareId: 's1',
	position: index + 1,
	...{ label: null, value: null, type: null, isMandatory: null },
	...answer,
	status: 'completed',
	lastUpdateTime: SHARE.lastUpdateTime,
}));

test.each<[string, INodeParameters, object[], string[]]>([
	['Get', { requestId: 'open' }, [{ ...linkOf('open'), ...OPEN }], ['/di/collection-request/open']],
	[
		'Get with the share, while there is none',
		{ requestId: 'open', options },
		[{ ...linkOf('open'), ...OPEN, share: null }],
		['/di/collection-request/open'],
	],
	[
		'Get with the share',
		{ requestId: 'done', options },
		[{ ...linkOf('done'), ...DONE, share: SHARE }],
		readDone,
	],
	['Get Guest Link', { ...guestLink, requestId: 'open' }, [linkOf('open')], []],
	['a share by its request', { ...ofShare, requestId: 'done' }, [simplified], readDone],
	['a share by its own ID', { ...ofShare, ...byShare }, [simplified], ['/di/share/s1']],
	[
		'a share as it came',
		{ ...ofShare, ...byShare, simplify: false },
		[{ ...linkOf('done'), ...SHARE }],
		['/di/share/s1'],
	],
	['answers by their request', { ...answers, requestId: 'done' }, rows, readDone],
	['answers by their share', { ...answers, ...byShare }, rows, ['/di/share/s1']],
])('%s: fields in their order, and what is read', async (_title, parameters, items, paths) => {
	const run = await runAction(read(parameters));
	expect(run).toMatchObject({ error: undefined, urls: paths });
	expect(run.json.map((item) => Object.entries(item))).toEqual(
		items.map((item) => Object.entries(item)),
	);
	expect(run.items).toMatchObject(items.map(() => ({ pairedItem: { item: 0 } })));
});

test('the guest link is one of the chosen environment', async () => {
	const credential = {
		environment: 'staging',
		stagingBaseUrl: 'https://api.staging.example.com',
		stagingCollectUrl: 'https://collect.staging.example.com/form/',
	};
	const run = { ...read({ ...guestLink, requestId: 'a/b' }), credential };
	expect((await runAction(run)).json).toEqual([
		{
			requestId: 'a/b',
			guestLink: 'https://collect.staging.example.com/form/request/a%2Fb',
		},
	]);
});

test.each([[undefined], [null], ['x'], [[]], [[null, 1]]])(
	'fields %j give no answers',
	async (otherFields) => {
		const run = await runAction(read({ ...answers, ...byShare }, { ...SHARE, otherFields }));
		expect(run).toMatchObject({ json: [], error: undefined });
	},
);

describe.each([ofShare, answers])('$operation', (operation) => {
	test.each([
		[
			'the ID of a collection request as one of a share',
			{ shareBy: 'shareId', shareId: 'done' },
			'"done" is the ID of a collection request, not of a share',
			'Get By',
		],
		[
			'an ID that is neither',
			{ shareBy: 'shareId', shareId: 'nothing' },
			'The service does not know the share "nothing" (HTTP 404)',
			'environment',
		],
		[
			'a collection request without a share',
			{ requestId: 'open' },
			'The collection request "open" has no share yet',
			'Include Share',
		],
	])('%s is explained', async (_title, parameters, message, advice) => {
		const error = await runError(read({ ...operation, ...parameters }));
		expect(error).toMatchObject({ message, description: containing(advice), itemIndex: 0 });
	});
});
