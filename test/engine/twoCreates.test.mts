import { createFor, runFlow, type Flow } from './support/flow.mts';

// Several Creates before one Wait: both of its outputs are in the order of creation, and each item is
// linked with its own data. Rows in capitals leave If by its first output.

const Wait = { operation: 'wait', limitWaitTime: true };
const ONE_EACH = { Create: createFor(1), Other: createFor(1), Wait };
const TWO_EACH = { Create: createFor(2), Other: createFor(2), Wait };

const MERGED = ['Trigger -> Rows -> If -> Create -> Merge -> Wait -> Answers'];
const SWAPPED = ['Trigger -> Rows -> If -> Create -> 1/Merge -> Wait -> Answers'];

test.each<[string, Flow, string[]]>([
	[
		'If and Merge',
		{ nodes: ONE_EACH, edges: [...MERGED, 'If/1 -> Other -> 1/Merge'], rows: ['A', 'b', 'C', 'd'] },
		['A A', 'C C', 'b b', 'd d'],
	],
	[
		'emails between, which drop the request IDs',
		{
			nodes: ONE_EACH,
			edges: [
				'Trigger -> Rows -> If -> Create -> Email -> Merge -> Wait -> Answers',
				'If/1 -> Other -> OtherEmail -> 1/Merge',
			],
			rows: ['A', 'b', 'C', 'd'],
		},
		['A A', 'C C', 'b b', 'd d'],
	],
	[
		'two people each, from rows in the order of creation',
		{ nodes: TWO_EACH, edges: [...MERGED, 'If/1 -> Other -> 1/Merge'], rows: ['A', 'C', 'b', 'd'] },
		['A A', 'C C', 'b b', 'd d'],
	],
	[
		'only the second branch gets anything',
		{ nodes: ONE_EACH, edges: [...MERGED, 'If/1 -> Other -> 1/Merge'], rows: ['a', 'b'] },
		['a a', 'b b'],
	],
	[
		'a loop that goes now through one and now through the other',
		{
			nodes: ONE_EACH,
			edges: [
				'Trigger -> Rows -> Loop -> Wait -> Answers',
				'Loop/1 -> If -> Create -> Loop',
				'If/1 -> Other -> Loop',
			],
			rows: ['A', 'b', 'C'],
		},
		['A A', 'b b', 'C C'],
	],
	[
		'one behind the other',
		{
			nodes: { ...ONE_EACH, Other: { ...createFor(1), templateId: '=x{{ $json.requestId }}' } },
			edges: [
				'Trigger -> Rows -> Create -> Other -> 1/Merge -> Wait -> Answers',
				'Create -> Merge',
			],
			rows: ['A', 'b'],
		},
		['A A', 'b b', 'xA A', 'xb b'],
	],
	// n8n can link these in another order only.
	[
		'a Merge that takes the second branch first',
		{ nodes: ONE_EACH, edges: [...SWAPPED, 'If/1 -> Other -> Merge'], rows: ['A', 'b', 'C', 'd'] },
		['b b', 'd d', 'A A', 'C C'],
	],
	[
		'the same for two people each: the order of the rows',
		{ nodes: TWO_EACH, edges: [...SWAPPED, 'If/1 -> Other -> Merge'], rows: ['A', 'b', 'C', 'd'] },
		['A A', 'b b', 'C C', 'd d'],
	],
])('%s: at once, by a notification, and at the limit', async (_title, flow, linked) => {
	const ids = linked.map((text) => text.split(' ')[0] ?? '');
	const completed = Object.fromEntries(ids.map((id) => [id, 'completed']));
	const links = ['Rows'];

	const atOnce = await runFlow({ ...flow, links, statuses: completed });
	expect(atOnce).toMatchObject({ waits: [], seen: { Answers: [linked] } });

	const awaited = `Wait awaits ${ids.join(' ')}`;
	const edges = [...flow.edges, 'Wait/1 -> Remind -> Wait'];
	const later = await runFlow({ ...flow, links, edges, events: [{}, completed] });
	expect(later).toMatchObject({
		waits: [`${awaited}: timed out`, `${awaited}: done ${ids.join(' ')}`],
		seen: { Remind: [linked], Answers: [linked] },
	});
});

test('behind a node that makes one item of all, the order is that of creation, also step by step in the editor', async () => {
	const flow: Flow = {
		nodes: { ...ONE_EACH, All: 'code' },
		edges: [
			'Trigger -> Rows -> Loop -> All -> Wait -> Answers',
			'Loop/1 -> If -> Create -> Loop',
			'If/1 -> Other -> Loop',
		],
		rows: ['A', 'b', 'C'],
		statuses: { A: 'completed', b: 'completed', C: 'completed' },
	};
	const whole = await runFlow(flow);
	expect(whole.seen.Answers).toEqual([['A', 'b', 'C']]);

	const { runData } = await runFlow({ ...flow, nodes: { ...flow.nodes, Wait: 'nothing' } });
	const step = await runFlow({ ...flow, stepAfter: 'All', mode: 'manual', runData });
	expect(step.seen.Answers).toEqual([['A', 'b', 'C']]);
});
