import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runAction } from './support/engine.mts';
import { having, json } from './support/faultServer.mts';
import { runFlow, type Flow } from './support/flow.mts';

// Whose a collection request is: what Create was given, or what the collection request itself tells.

const person = (row: string) => ({
	name: `Person ${row}`,
	email: `${row.toLowerCase()}@example.com`,
	phoneNumber: '+41 44 668 18 00',
});
/** From rows that are letters. */
const create: INodeParameters & { operation: string } = {
	operation: 'create',
	templateId: '={{ $json.row }}',
	participants: {
		participant: [
			{
				name: '=Person {{ $json.row }}',
				email: '={{ $json.row.toLowerCase() }}@example.com',
				phoneNumber: '+41 44 668 18 00',
			},
		],
	},
};

/** The fields of an item that say whose it is, and where they begin. */
const ownerIn = (item: IDataObject = {}) => {
	const { requestId, name, email, phoneNumber, group } = item;
	const [first, second, third] = Object.keys(item);
	return { requestId, name, email, phoneNumber, group, begins: [first, second, third].join() };
};
const owned = (requestId: string, more: object = {}) => ({
	requestId,
	...person(requestId),
	group: undefined,
	begins: 'requestId,guestLink,name',
	...more,
});

const flow = async (more: Partial<Flow> & Pick<Flow, 'edges'>) =>
	await runFlow({ rows: ['A', 'B'], ...more, nodes: { Create: create, ...more.nodes } });

test.each([
	['at once', { statuses: { A: 'completed', B: 'completed' } }],
	['by a notification', { events: [{ A: 'completed', B: 'completed' }] }],
])(
	'Done of Wait says it, if the wait ends %s, and so do the operations behind it',
	async (_how, more) => {
		const { itemsOf } = await flow({
			...more,
			nodes: {
				Wait: { operation: 'wait' },
				Get: { operation: 'get' },
				Check: { operation: 'checkStatus' },
			},
			edges: ['Trigger -> Rows -> Create -> Email -> Wait -> Get -> Check'],
		});
		for (const name of ['Wait', 'Get', 'Check']) {
			expect([name, itemsOf(name).at(-1)?.map(ownerIn)]).toEqual([name, [owned('A'), owned('B')]]);
		}
	},
);

test('after a notification, too, Done of Wait says it of what several Creates have created', async () => {
	const { itemsOf } = await flow({
		rows: ['A', 'b'],
		nodes: { Other: create, Wait: { operation: 'wait' } },
		edges: ['Trigger -> Rows -> If -> Create -> Merge -> Wait', 'If/1 -> Other -> 1/Merge'],
		events: [{ A: 'completed', b: 'completed' }],
	});
	expect(itemsOf('Wait').at(-1)?.map(ownerIn)).toEqual([owned('A'), owned('b')]);
});

test('both outputs of Check Status say it, behind an email and with either output of Create', async () => {
	for (const output of ['participants', 'collectionRequest']) {
		const { itemsOf } = await flow({
			statuses: { A: 'completed' },
			nodes: { Create: { ...create, output }, Check: { operation: 'checkStatus' } },
			edges: ['Trigger -> Rows -> Create -> Check'],
		});
		const outputs = [0, 1].map((index) => itemsOf('Check', index)[0]?.map(ownerIn));
		expect(outputs).toEqual([[owned('A')], [owned('B')]]);
	}
});

test.each([
	['participants', 2],
	['collectionRequest', 1],
])('of several people, only the group is known: %s', async (output, items) => {
	const { itemsOf } = await flow({
		rows: ['A', 'B', 'C'],
		nodes: {
			Create: {
				operation: 'create',
				templateId: 'A',
				participantsMode: 'items',
				oneRequestFor: 'group',
				groupBy: '={{ $json.row === "C" ? "alone" : "pair" }}',
				personEmail: '={{ $json.row.toLowerCase() }}@example.com',
				output,
			},
			Get: { operation: 'get' },
		},
		edges: ['Trigger -> Rows -> Create -> Get'],
	});
	const nobody = { name: undefined, email: undefined, phoneNumber: undefined };
	const alone = { name: null, email: 'c@example.com', phoneNumber: null, group: 'alone' };
	const pair = owned('A', { ...nobody, group: 'pair', begins: 'requestId,guestLink,group' });
	expect(itemsOf('Get')[0]?.map(ownerIn)).toEqual([
		...Array<object>(items).fill(pair),
		owned('A2', alone),
	]);
});

const participant = [
	{ name: 'Ada', phoneNumber: '+41 44 668 18 00' },
	{ name: 'Ben', email: 'ben@example.com' },
	{ name: 'Cleo', phoneNumber: '+41 44 668 18 01' },
];
/** Who is to be reminded behind a Create that was given these people. */
const toRemind = async (more: Partial<Flow> = {}) => {
	const { itemsOf } = await flow({
		rows: ['A'],
		nodes: {
			Create: { ...create, participants: { participant } },
			People: { operation: 'getPeopleToRemind' },
		},
		edges: ['Trigger -> Rows -> Create -> People'],
		...more,
	});
	return itemsOf('People')[0];
};

test('who is to be reminded has a name and a number, too, if the service returns nothing of them', async () => {
	expect(await toRemind()).toMatchObject(participant);
});

test.each<[participantList: object[], names: Array<string | null>]>([
	[
		[{ name: 'Ada' }, { email: 'ben@example.com' }, {}],
		['Ada', 'Ben', null],
	],
	[
		[{}, {}, {}],
		[null, null, null],
	],
])('nobody is taken for another one if the service returns %j', async (participantList, names) => {
	const answer = json(200, { _id: 'A', shareStatus: 'open', participantList });
	expect((await toRemind({ answer }))?.map(({ name }) => name)).toEqual(names);
});

test('items of the time limit stay as they are; whoever is to be reminded has a name', async () => {
	const { itemsOf } = await flow({
		nodes: {
			Wait: { operation: 'wait', limitWaitTime: true },
			People: { operation: 'getPeopleToRemind' },
		},
		edges: ['Trigger -> Rows -> Create -> Wait', 'Wait/1 -> People'],
	});
	const names = itemsOf('Wait', 1)[0]?.map((item) => Object.keys(item).join());
	expect(names).toEqual(['requestId,guestLink,timedOut', 'requestId,guestLink,timedOut']);
	expect(itemsOf('People')[0]).toMatchObject([person('A'), person('B')]);
});

test('every run of a Create in a loop counts', async () => {
	const { itemsOf } = await flow({
		nodes: { Loop: 'loop', Wait: { operation: 'wait' }, Get: { operation: 'get' } },
		edges: ['Trigger -> Rows -> Loop -> Wait -> Get', 'Loop/1 -> Create -> Loop'],
		rows: ['A', 'B'],
		events: [{ A: 'completed', B: 'completed' }],
	});
	for (const name of ['Wait', 'Get']) {
		expect([name, itemsOf(name).at(-1)?.map(ownerIn)]).toEqual([name, [owned('A'), owned('B')]]);
	}
});

describe('in another execution', () => {
	const share = {
		_id: 's1',
		collectionRequestId: 'r1',
		otherFields: [
			{ label: 'email', value: 'work@example.com' },
			{ label: 'email (2)', value: 'home@example.com' },
			{ label: 'Size', value: 'M' },
		],
	};
	const read = async (participantList: unknown, operation: string, output = 'columns') => {
		const request = { _id: 'r1', shareId: 's1', shareStatus: 'completed', participantList };
		const run = await runAction({
			parameters: { resource: 'share', operation, output, requestId: 'r1' },
			answer: having({ 'collection-request/r1': request, 'share/s1': share }),
		});
		return run.json;
	};
	const ada = { email: 'ada@example.com' };

	test('the only participant whom the collection request names; answers keep their values', async () => {
		const [item = {}] = await read([ada], 'getAnswers');
		expect(Object.entries(item).slice(0, 5)).toEqual([
			['email', 'ada@example.com'],
			['email (3)', 'work@example.com'],
			['email (2)', 'home@example.com'],
			['Size', 'M'],
			['requestId', 'r1'],
		]);
		expect(await read([{ ...ada, name: 'Ada', age: 7 }], 'getAnswers', 'answers')).toMatchObject([
			{ requestId: 'r1', name: 'Ada', email: 'ada@example.com', label: 'email' },
			{},
			{},
		]);
		expect(await read([ada], 'get')).toMatchObject([{ email: 'ada@example.com', shareId: 's1' }]);
	});

	test.each([
		[[ada, { email: 'ben@example.com' }]],
		[[]],
		['nobody'],
		[[null]],
		[[{ email: 7 }, 8]],
	])('nobody of %j', async (participantList) => {
		const [item = {}] = await read(participantList, 'getAnswers', 'answers');
		expect(Object.keys(item).slice(0, 2)).toEqual(['requestId', 'label']);
	});
});
