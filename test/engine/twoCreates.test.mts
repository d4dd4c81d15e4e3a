import { CREATE, CREATE_FOR_TWO, runFlow, WAIT, type Flow } from './support/flow.mts';

// Several Creates before one Wait: both outputs are in the order of creation, and each item is linked
// with its own data, or with none. Rows in capitals leave If by its first output.

const nodes = {
	Trigger: 'trigger',
	Offices: 'rows',
	If: 'if',
	Create: CREATE,
	Other: CREATE,
	Third: CREATE,
	Merge: 'merge',
	More: 'merge',
	Loop: 'loop',
	Email: 'email',
	OtherEmail: 'email',
	Wait: WAIT,
	Answers: 'email',
	Remind: 'email',
} satisfies Flow['nodes'];

const FOR_TWO = { ...nodes, Create: CREATE_FOR_TWO, Other: CREATE_FOR_TWO };
const LEFT = 'Trigger -> Offices -> If -> Create';
const MERGED = 'Merge -> Wait -> Answers';

const LAYOUTS: Array<[string, Partial<Flow> & { rows: string[] }, string[]]> = [
	[
		'If and Merge',
		{ rows: ['A', 'b', 'C', 'd'], edges: [`${LEFT} -> ${MERGED}`, 'If/1 -> Other -> 1/Merge'] },
		['A', 'C', 'b', 'd'],
	],
	[
		'emails between, which drop the request IDs',
		{
			rows: ['A', 'b', 'C', 'd'],
			edges: [`${LEFT} -> Email -> ${MERGED}`, 'If/1 -> Other -> OtherEmail -> 1/Merge'],
		},
		['A', 'C', 'b', 'd'],
	],
	[
		'two people each, from rows in the order of creation',
		{
			rows: ['A', 'C', 'b', 'd'],
			nodes: FOR_TWO,
			edges: [`${LEFT} -> ${MERGED}`, 'If/1 -> Other -> 1/Merge'],
		},
		['A', 'C', 'b', 'd'],
	],
	[
		'three Creates and two Merges',
		{
			rows: ['A', 'b'],
			edges: [
				`${LEFT} -> Merge -> More -> Wait -> Answers`,
				'If/1 -> Other -> 1/Merge',
				'Offices -> Third -> 1/More',
			],
			nodes: { ...nodes, Third: { ...CREATE, templateId: '=z{{ $json.row }}' } },
		},
		['A', 'b', 'zA', 'zb'],
	],
	[
		'only the second branch gets anything',
		{ rows: ['a', 'b'], edges: [`${LEFT} -> ${MERGED}`, 'If/1 -> Other -> 1/Merge'] },
		['a', 'b'],
	],
	[
		'a loop that goes now through one and now through the other',
		{
			rows: ['A', 'b', 'C'],
			edges: [
				'Trigger -> Offices -> Loop -> Wait -> Answers',
				'Loop/1 -> If -> Create -> Loop',
				'If/1 -> Other -> Loop',
			],
		},
		['A', 'b', 'C'],
	],
	[
		'one behind the other',
		{
			rows: ['A', 'b'],
			nodes: { ...nodes, Other: { ...CREATE, templateId: '=x{{ $json.requestId }}' } },
			edges: [
				'Trigger -> Offices -> Create -> Other -> 1/Merge -> Wait -> Answers',
				'Create -> Merge',
			],
		},
		['A', 'b', 'xA', 'xb'],
	],
];

const SEEN = { links: ['Offices', 'Merge'] };
const LINKED = ({ requestId, Offices }: Record<string, unknown>) => [requestId, Offices];

describe.each(LAYOUTS)('%s', (_title, flow, ids) => {
	const completed = Object.fromEntries(ids.map((id) => [id, 'completed']));
	const linked = ids.map((id) => [id, id.replace(/^[xz]/, '')]);
	const play = async (more: Partial<Flow>) =>
		await runFlow({ nodes, ...SEEN, ...flow, ...more } as Flow);

	test('that wait ends at once', async () => {
		const { error, seen } = await play({ statuses: completed });
		expect([error, seen.Answers?.map((run) => run.map(LINKED))]).toEqual([undefined, [linked]]);
	});

	test('a notification ends it', async () => {
		const { error, waits, seen } = await play({ events: [completed] });
		expect([error, waits]).toEqual([
			undefined,
			[`Wait awaits ${ids.join(' ')}: done ${ids.join(' ')}`],
		]);
		expect(seen.Answers?.map((run) => run.map(LINKED))).toEqual([linked]);
	});

	test('its limit ends it, and it is led back', async () => {
		const edges = [...(flow.edges ?? []), 'Wait/1 -> Remind -> Wait'];
		const { error, seen } = await play({ edges, events: [{}, completed] });
		expect([error, seen.Remind?.map((run) => run.map(LINKED))]).toEqual([undefined, [linked]]);
		expect(seen.Answers?.map((run) => run.map(LINKED))).toEqual([linked]);
	});
});

describe('where n8n can link another order only, that is the order', () => {
	const SWAPPED = [`Trigger -> Offices -> If -> Create -> 1/${MERGED}`, 'If/1 -> Other -> Merge'];
	const cases: Array<[string, Partial<Flow>, string[]]> = [
		[
			'of a Merge that takes the second branch first',
			{ nodes, edges: SWAPPED },
			['b', 'd', 'A', 'C'],
		],
		['of the rows, for two people each', { nodes: FOR_TWO, edges: SWAPPED }, ['A', 'b', 'C', 'd']],
	];
	test.each(cases)('%s', async (_title, flow, ids) => {
		const rows = ['A', 'b', 'C', 'd'];
		const completed = Object.fromEntries(rows.map((id) => [id, 'completed']));
		for (const more of [{ statuses: completed }, { events: [completed] }]) {
			const { seen } = await runFlow({ nodes, ...SEEN, rows, ...flow, ...more } as Flow);
			expect(seen.Answers?.map((run) => run.map(LINKED))).toEqual([ids.map((id) => [id, id])]);
		}
	});
});

describe('behind a node that makes one item of all, the order is that of creation', () => {
	const edges = [
		'Trigger -> Offices -> Loop -> All -> Wait',
		'Loop/1 -> If -> Create -> Loop',
		'If/1 -> Other -> Loop',
	];
	const flow: Flow = { nodes: { ...nodes, All: 'code' }, edges, rows: ['A', 'b', 'C'] };
	const completed = { A: 'completed', b: 'completed', C: 'completed' };
	const idsOf = (done: Record<string, unknown>[] = []) => done.map(({ requestId }) => requestId);

	test('although the two take turns', async () => {
		const { itemsOf } = await runFlow({ ...flow, statuses: completed });
		expect(idsOf(itemsOf('Wait')[0])).toEqual(['A', 'b', 'C']);
	});

	test('although they ran in an execution before, step by step in the editor', async () => {
		const { runData } = await runFlow({ ...flow, nodes: { ...flow.nodes, Wait: 'nothing' } });
		const step = { statuses: completed, stepAfter: 'All', mode: 'manual', runData } as const;
		const { itemsOf } = await runFlow({ ...flow, ...step });
		expect(idsOf(itemsOf('Wait').at(-1))).toEqual(['A', 'b', 'C']);
	});
});
