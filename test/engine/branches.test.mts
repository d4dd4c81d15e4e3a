import type { INodeParameters } from 'n8n-workflow';
import type { Flow } from './support/flow.mts';
import { createFor, runFlow } from './support/flow.mts';
import { containing } from '../support/matchers.mts';

// Several branches that lead to one Wait: everything comes out once, whichever branch it came by. Rows in
// capitals leave If and Mailer, an email node with an error output, by the first output.

const Wait = { operation: 'wait', limitWaitTime: true };
const People = { operation: 'getPeopleToRemind' };
const nodes = { Create: createFor(1), Wait, People };
const rows = ['A', 'b', 'C', 'd'];
const ALL = { A: 'completed', b: 'completed', C: 'completed', d: 'completed' };
const linked = ['A A', 'b b', 'C C', 'd d'];
const AWAITED = 'Wait awaits A b C d';

const behind = (between: string) => [
	`Trigger -> Rows -> Create -> ${between} -> Wait -> Answers`,
	`${between}/1 -> Wait/1 -> Late`,
];

describe.each<[string, Flow]>([
	['both outputs of an email node', { edges: behind('Mailer') }],
	['both outputs of an If', { edges: behind('If') }],
	[
		'the same in the older execution order',
		{ edges: behind('If'), workflowSettings: { executionOrder: 'v0' } },
	],
])('%s lead to it', (_title, given) => {
	const flow: Flow = { rows, links: ['Rows'], ...given, nodes: { ...nodes, ...given.nodes } };

	test.each<[string, Partial<Flow>, string[], 'Answers' | 'Late']>([
		['at once', { statuses: { ...ALL } }, [], 'Answers'],
		['by a notification', { events: [ALL] }, [`${AWAITED}: done A b C d`], 'Answers'],
		['at the limit', {}, [`${AWAITED}: timed out`], 'Late'],
	])('%s', async (_how, more, waits, last) => {
		const run = await runFlow({ ...flow, ...more });
		const { Answers, Late } = run.seen;
		expect(run).toMatchObject({ error: undefined, waits, lastNodeExecuted: last });
		expect([Answers, Late]).toEqual(
			last === 'Answers' ? [[linked], undefined] : [undefined, [linked]],
		);
		expect(run.hintsOf('Wait')).toEqual([]);
	});
});

test('both outputs of the reminders lead back to it, in rounds', async () => {
	const { waits, seen, lastNodeExecuted } = await runFlow({
		rows,
		links: ['Rows'],
		nodes: { ...nodes, Reminder: 'mailer' },
		edges: [
			...behind('Mailer').slice(0, 1),
			'Mailer/1 -> Wait/1 -> People -> Reminder -> Wait',
			'Reminder/1 -> Wait',
			'People/1 -> Answers',
		],
		events: [{ A: 'completed' }, {}, { b: 'completed', C: 'completed', d: 'completed' }],
	});
	expect(waits).toEqual([
		`${AWAITED}: timed out`,
		`${AWAITED}: timed out`,
		`${AWAITED}: done A b C d`,
	]);
	expect(seen).toMatchObject({ Answers: [linked], Reminder: [{ length: 3 }, { length: 3 }] });
	expect(lastNodeExecuted).toBe('Answers');
});

test('the reminders lead back to it by the second input of a Merge alone, in rounds', async () => {
	const { waits, seen } = await runFlow({
		rows: ['a', 'b'],
		nodes: { ...nodes, Reminder: 'mailer' },
		edges: [
			'Trigger -> Rows -> Create -> Email -> Wait/1 -> People -> Reminder -> Merge -> Wait -> Answers',
			'Reminder/1 -> Office -> 1/Merge',
		],
		events: [{}, {}, { a: 'completed', b: 'completed' }],
	});
	const awaited = 'Wait awaits a b';
	expect(waits).toEqual([`${awaited}: timed out`, `${awaited}: timed out`, `${awaited}: done a b`]);
	expect(seen).toMatchObject({ Office: [{ length: 2 }, { length: 2 }], Answers: [['a', 'b']] });
});

test('inside Loop Over Items, each round waits for its own, whatever output it comes by', async () => {
	const { waits, seen } = await runFlow({
		rows: ['A', 'b', 'C'],
		links: ['Rows'],
		nodes,
		edges: [
			'Trigger -> Rows -> Loop -> Answers',
			'Loop/1 -> Create -> Mailer -> Wait -> Loop',
			'Mailer/1 -> Wait',
		],
		events: [{ A: 'completed' }, { b: 'completed' }, { C: 'completed' }],
	});
	expect(waits).toEqual(['A', 'b', 'C'].map((id) => `Wait awaits ${id}: done ${id}`));
	expect(seen.Answers).toEqual([['A A', 'b b', 'C C']]);
});

test('two Creates, each before it: it waits for both, one after the other', async () => {
	const { waits, seen } = await runFlow({
		rows,
		links: ['Rows'],
		nodes: { ...nodes, Other: createFor(1) },
		edges: ['Trigger -> Rows -> If -> Create -> Wait -> Answers', 'If/1 -> Other -> Wait'],
		events: [
			{ A: 'completed', C: 'completed' },
			{ b: 'completed', d: 'completed' },
		],
	});
	expect(waits).toEqual(['Wait awaits A C: done A C', 'Wait awaits b d: done b d']);
	expect(seen.Answers).toEqual([
		['A A', 'C C'],
		['b b', 'd d'],
	]);
});

test('by request ID, each branch waits for its own', async () => {
	const { waits, seen } = await runFlow({
		rows,
		links: ['Rows'],
		nodes: { ...nodes, Wait: { ...Wait, which: 'requestId' } },
		edges: behind('If'),
		// n8n runs the second branch first.
		events: [{ b: 'completed', d: 'completed' }, {}],
	});
	expect(waits).toEqual(['Wait awaits b d: done b d', 'Wait awaits A C: timed out']);
	expect(seen).toEqual({ Answers: [['b b', 'd d']], Late: [['A A', 'C C']] });
});

describe('a branch on which another node runs first comes after the wait', () => {
	const office = ['Trigger -> Rows -> Create -> Mailer -> Wait -> Answers'];
	const hints = [{ message: containing('bring the branches together with a Merge node') }];

	const two = { A: 'completed', b: 'completed' };
	test.each<[string, INodeParameters, Record<string, string>, string]>([
		['nothing comes out for it', {}, ALL, 'A b C d'],
		['nor if as many as all were awaited', { numberToWaitFor: 4 }, ALL, 'A b C d'],
		['nor is the rest awaited, if two were enough', { numberToWaitFor: 2 }, two, 'A b'],
		[
			'nor if the rest are fewer than that',
			{ numberToWaitFor: 3 },
			{ ...two, C: 'completed' },
			'A b C',
		],
	])('%s', async (_title, options, event, done) => {
		const { error, waits, seen, itemsOf, hintsOf } = await runFlow({
			rows,
			nodes: { ...nodes, Wait: { ...Wait, options } },
			edges: [...office, 'Mailer/1 -> Office -> Wait'],
			events: [event],
		});
		expect({ error, waits }).toEqual({ error: undefined, waits: [`${AWAITED}: done ${done}`] });
		expect(seen).toMatchObject({ Office: [{ length: 2 }], Answers: [done.split(' ')] });
		expect(itemsOf('Wait')[1]).toEqual([]);
		expect(hintsOf('Wait')).toMatchObject(hints);
	});

	test('not even behind a round of reminders, which are not sent again', async () => {
		const { waits, seen } = await runFlow({
			rows,
			nodes: { ...nodes, Reminder: 'mailer' },
			edges: [
				...office,
				'Mailer/1 -> Wait/1 -> People -> Reminder -> Wait',
				'Reminder/1 -> Office -> Wait',
			],
			events: [{}, ALL],
		});
		expect(waits).toEqual([`${AWAITED}: timed out`, `${AWAITED}: done A b C d`]);
		expect(seen).toMatchObject({ Answers: [rows], Reminder: [{ length: 4 }] });
	});
});

test.each<[string, INodeParameters, Flow['onRun']?]>([
	['before it reads', { options: { numberToWaitFor: '={{ 5 }}' } }],
	['by what it reads', {}, (_name, statuses) => rows.forEach((id) => delete statuses[id])],
])(
	'if the first branch fails with an error output, %s, the items of the others come out, too',
	async (...row) => {
		const [, parameters, onRun] = row;
		const { seen } = await runFlow({
			rows,
			nodes: { ...nodes, Wait: { ...Wait, ...parameters } },
			edges: [
				'Trigger -> Rows -> Create -> Email',
				'Create -> If -> Wait/2 -> Failed',
				'If/1 -> Wait',
			],
			settings: { Wait: { onError: 'continueErrorOutput' } },
			onRun,
		});
		expect(seen.Failed).toEqual([
			['b', 'd'],
			['A', 'C'],
		]);
	},
);

describe('a Wait on each branch: both wait for everything', () => {
	const hint = containing('To wait for these only, set Collection Requests to By Request ID');
	const run = async (changes: object) =>
		await runFlow({
			rows,
			nodes: { ...nodes, Wait: { ...Wait, ...changes }, Second: { ...Wait, ...changes } },
			edges: ['Trigger -> Rows -> Create -> If -> Wait -> Answers', 'If/1 -> Second -> Answers'],
			statuses: { ...ALL },
		});

	test('a hint says how each waits for its own', async () => {
		const { seen, hintsOf } = await run({});
		expect(seen.Answers).toEqual([rows, rows]);
		expect(['Wait', 'Second'].flatMap(hintsOf)).toMatchObject([
			{ message: hint },
			{ message: hint },
		]);
	});

	test('by request ID, each does, and there is no hint', async () => {
		const { seen, hintsOf } = await run({ which: 'requestId' });
		expect(seen.Answers).toEqual([
			['A', 'C'],
			['b', 'd'],
		]);
		expect(hintsOf('Wait')).toEqual([]);
	});

	test('there is none if one item stands for all', async () => {
		const { hintsOf } = await runFlow({
			rows,
			nodes,
			edges: ['Trigger -> Rows -> Create -> Email -> Wait -> Answers'],
			settings: { Email: { executeOnce: true } },
			statuses: { ...ALL },
		});
		expect(hintsOf('Wait')).toEqual([]);
	});
});

describe('started by another workflow', () => {
	const hint = containing('calls it once for each of its items');

	test.each<[string, Partial<Flow>, number]>([
		['with one item: a hint says when answers would be lost', { rows: ['A'] }, 1],
		['with several items, there is none', { rows: ['A', 'b'] }, 0],
		['by a person who tries it, there is none', { rows: ['A'], mode: 'trigger' }, 0],
	])('%s', async (_title, flow, count) => {
		const { hintsOf } = await runFlow({
			mode: 'integrated',
			nodes: { ...nodes, Trigger: 'executeWorkflowTrigger' },
			settings: { Trigger: { type: 'n8n-nodes-base.executeWorkflowTrigger' } },
			edges: ['Trigger -> Create -> Wait -> Answers'],
			statuses: { ...ALL },
			...flow,
		});
		expect(hintsOf('Wait').map(({ message }) => message)).toEqual(Array(count).fill(hint));
	});
});
