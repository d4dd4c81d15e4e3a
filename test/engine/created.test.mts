import type { INodeParameters } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { createFor, REMINDERS, runFlow, type Flow } from './support/flow.mts';
import { useVirtualTime } from './support/virtualTime.mts';

// A Wait for what has been created before it: what it awaits in each round, and in each workflow.

const time = useVirtualTime();
const ALL = { A: 'completed', B: 'completed', C: 'completed' };
const Create = createFor(1);
const Other = { ...Create, templateId: '=x{{ $json.row }}' };
const Wait = { operation: 'wait', limitWaitTime: true };
const IN_A_ROW = ['Trigger -> Rows -> Create -> First -> Second -> Answers'];
/** Two Waits, the first one with these parameters. */
const inARow = (first: INodeParameters): Flow => ({
	nodes: { Create, First: { ...Wait, ...first }, Second: Wait },
	edges: IN_A_ROW,
	statuses: { A: 'open', B: 'open', C: 'draft' },
	events: [ALL],
});
const TWO_BRANCHES = ['Trigger -> Rows -> Create -> Wait -> Answers', 'Rows -> Other -> Wait'];

test.each<[string, Flow, waits: string[]]>([
	[
		'in a workflow of Execution Logic v2, where n8n gives the fields in place of the items',
		{
			...REMINDERS,
			links: [],
			workflowSettings: { binaryMode: 'combined' },
			events: [{ A: 'completed' }, ALL],
		},
		['Wait awaits A B C: timed out', 'Wait awaits A B C: done A B C'],
	],
	[
		'behind two branches that run one after the other: each round awaits its own',
		{
			rows: ['A'],
			nodes: { Create, Other, Wait },
			edges: [...TWO_BRANCHES, 'Wait/1 -> Remind -> Wait'],
			events: [{}, { A: 'completed' }, {}, { xA: 'completed' }],
		},
		[
			'Wait awaits A: timed out',
			'Wait awaits A: done A',
			'Wait awaits xA: timed out',
			'Wait awaits xA: done xA',
		],
	],
	[
		'behind two branches: what the first one lacks is not awaited in the turn of the second',
		{
			rows: ['A', 'B'],
			nodes: { Create, Other, Wait },
			edges: [...TWO_BRANCHES, 'Wait/1 -> Email'],
			events: [{}, { xA: 'completed', xB: 'completed' }],
		},
		['Wait awaits A B: timed out', 'Wait awaits xA xB: done xA xB'],
	],
	[
		'behind a Wait that other statuses end, too: nobody is left out',
		inARow({ waitFor: 'open', options: { numberToWaitFor: 2 } }),
		['Second awaits A B C: done A B C'],
	],
	[
		'behind a Wait whose status an expression decides: nobody is left out',
		inARow({
			waitFor: '={{ "open" }}',
			// What the editor keeps of an earlier choice counts for nothing.
			waitForStatuses: ['completed'],
			options: { numberToWaitFor: 2 },
		}),
		['Second awaits A B C: done A B C'],
	],
	[
		'behind a Wait for the same status: what that one is done with is left out',
		{
			...inARow({ options: { numberToWaitFor: 1 } }),
			statuses: {},
			events: [{ B: 'completed' }, { A: 'completed', C: 'completed' }],
		},
		['First awaits A B C: done B', 'Second awaits A C: done A C'],
	],
	[
		'behind a loop with a Wait for the same status: what that one is done with in any round is left out',
		{
			nodes: { Create, First: Wait, Second: Wait },
			edges: [
				'Trigger -> Rows -> Loop -> Second -> Answers',
				'Loop/1 -> Create -> First -> Loop',
				'First/1 -> Loop',
			],
			events: [{ A: 'completed' }, {}, { C: 'completed' }, ALL],
		},
		[
			'First awaits A: done A',
			'First awaits B: timed out',
			'First awaits C: done C',
			'Second awaits B: done B',
		],
	],
	[
		'with Number to Wait For in a loop: each round awaits what is left',
		{
			nodes: { Create, Wait: { ...Wait, options: { numberToWaitFor: 1 } } },
			edges: ['Trigger -> Rows -> Create -> Loop -> Answers', 'Loop/1 -> Wait -> Loop'],
			events: [{ B: 'completed' }, { A: 'completed' }, { C: 'completed' }],
		},
		['Wait awaits A B C: done B', 'Wait awaits A C: done A', 'Wait awaits C: done C'],
	],
	[
		'behind another Wait in its own loop: what timed out in its last round is awaited again',
		{
			nodes: { Create, Wait, Pause: { ...Wait, which: 'requestId', requestId: 'X' } },
			edges: ['Trigger -> Rows -> Create -> Wait -> Answers', 'Wait/1 -> Pause -> Wait'],
			statuses: { X: 'open' },
			events: [{}, { X: 'completed' }, ALL],
		},
		['Wait awaits A B C: timed out', 'Pause awaits X: done X', 'Wait awaits A B C: done A B C'],
	],
])('a Wait %s', async (_title, flow, waits) => {
	expect(await runFlow({ rows: ['A', 'B', 'C'], ...flow })).toMatchObject({
		error: undefined,
		waits,
	});
});

test.each([
	['one person', 1, [['B B B', 'C C C'], ['C C C']], ['A A A', 'B B B', 'C C C']],
	[
		'two people',
		2,
		[
			['B none B', 'B none B', 'C none C', 'C none C'],
			['C none C', 'C none C'],
		],
		['A none A', 'B none B', 'C none C'],
	],
])(
	'reminders for %s each: each round reminds those who are missing, and nobody else',
	async (_title, people, reminded, done) => {
		const { waits, seen, hintsOf } = await runFlow({
			...REMINDERS,
			nodes: { ...REMINDERS.nodes, Create: createFor(people) },
			events: [{ A: 'completed' }, { B: 'completed' }, { C: 'completed' }],
		});
		expect([...hintsOf('Create'), ...hintsOf('People')]).toEqual([]);
		const timedOut = 'Wait awaits A B C: timed out';
		expect(waits).toEqual([timedOut, timedOut, 'Wait awaits A B C: done A B C']);
		expect(seen).toMatchObject({ Remind: reminded, Answers: [done] });
	},
);

test('a manual execution reminds in each round, although it looks until the interval is over', async () => {
	let reminded = 0;
	const { seen } = await runFlow({
		...REMINDERS,
		rows: ['A'],
		nodes: { ...REMINDERS.nodes, Wait: { ...Wait, resumeUnit: 'minutes' } },
		mode: 'manual',
		onRun: (name, statuses) => {
			if (name === 'Remind') reminded += 1;
			if (reminded === 2) statuses.A = 'completed';
		},
	});
	expect(seen).toMatchObject({ Remind: [['A A A'], ['A A A']], Answers: [['A A A']] });
});

test('what the second of two Waits has output does not come out again when more is created', async () => {
	const { waits, seen } = await runFlow({
		rows: ['A'],
		nodes: { Create, Other, First: Wait, Second: Wait },
		edges: [...IN_A_ROW, 'Rows -> Other -> First'],
		events: [{ A: 'completed' }, { xA: 'completed' }],
	});
	expect(waits).toEqual(['First awaits A: done A', 'First awaits xA: done xA']);
	expect(seen.Answers).toEqual([['A'], ['xA']]);
});

test('a round of reminders for the second of two forms does not go back to the first one', async () => {
	const { waits, seen } = await runFlow({
		rows: ['A', 'B'],
		nodes: {
			...REMINDERS.nodes,
			First: { operation: 'wait' },
			Again: { ...Create, templateId: '={{ $json.requestId }}' },
		},
		edges: [
			'Trigger -> Rows -> Create -> First -> Again -> Email -> Wait -> Answers',
			'Wait/1 -> Remind -> Wait',
		],
		events: [{ A: 'completed', B: 'completed' }, {}, { A2: 'completed', B2: 'completed' }],
	});
	expect(waits).toEqual([
		'First awaits A B: done A B',
		'Wait awaits A2 B2: timed out',
		'Wait awaits A2 B2: done A2 B2',
	]);
	expect(seen.Answers).toEqual([['A2', 'B2']]);
});

test.each([
	['that comes during the wait', 60 * 60_000],
	['that is over before', -60 * 60_000],
])('at a fixed time %s, people are reminded once, and not without end', async (_title, later) => {
	const maxDateAndTime = new Date(time.now() + later).toISOString();
	const limit = { limitWaitTime: true, limitType: 'atSpecifiedTime', maxDateAndTime };
	const { error, seen } = await runFlow({
		...REMINDERS,
		nodes: { ...REMINDERS.nodes, Wait: { operation: 'wait', ...limit } },
	});
	expect(error).toMatchObject({
		message: 'Max Date and Time is over, and the same collection requests timed out before',
		description: containing('After Time Interval'),
	});
	expect(seen.Remind).toEqual([['A A A', 'B B B', 'C C C']]);
});

test("at a fixed time, what times out for the first time leaves by Time's Up, whatever did before", async () => {
	const maxDateAndTime = new Date(time.now() + 60 * 60_000).toISOString();
	const limit = { limitWaitTime: true, limitType: 'atSpecifiedTime', maxDateAndTime };
	const { error, waits, seen } = await runFlow({
		rows: ['A'],
		nodes: { Create, Other, Wait: { operation: 'wait', ...limit } },
		edges: [...TWO_BRANCHES, 'Wait/1 -> Late'],
	});
	expect({ error, waits }).toEqual({ error: undefined, waits: ['Wait awaits A: timed out'] });
	expect(seen.Late).toEqual([['A'], ['xA']]);
});

describe('step by step in the editor', () => {
	test('all is awaited that Create has created in two runs of an execution before', async () => {
		const nodes = { Create, Nothing: 'nothing', Wait } as const;
		const edges = ['Trigger -> Rows -> Create -> Nothing -> Wait'];
		const { runData } = await runFlow({
			rows: ['A', 'B'],
			nodes: { ...nodes, More: 'rows' },
			edges: [...edges, 'Trigger -> More -> Create'],
		});
		const statuses = { A: 'completed', B: 'completed', A2: 'completed', B2: 'completed' };
		const step = { nodes, edges, statuses, stepAfter: 'Nothing', mode: 'manual', runData } as const;
		const [done = []] = (await runFlow(step)).itemsOf('Wait').slice(-1);
		expect(done.map(({ requestId }) => requestId)).toEqual(['A', 'B', 'A2', 'B2']);
	});

	const pinned = (...ids: string[]) => ({
		Create: ids.map((requestId) => ({ json: { requestId } })),
	});

	test('what is pinned at a Create that never ran is awaited', async () => {
		const step = { stepAfter: 'Email', mode: 'manual', statuses: ALL } as const;
		const { itemsOf } = await runFlow({ ...REMINDERS, ...step, pinData: pinned('A', 'B') });
		expect(itemsOf('Wait')).toMatchObject([[{ requestId: 'A' }, { requestId: 'B' }]]);
	});

	test('an open one that is pinned is an error at once: nothing is reported about it', async () => {
		const before = time.now();
		const { error } = await runFlow({
			nodes: { Create, Wait: { operation: 'wait' } },
			edges: ['Trigger -> Create -> Wait'],
			pinData: pinned('A'),
			mode: 'manual',
			statuses: { A: 'open' },
		});
		expect(error?.message).toBe(
			'Nothing can end this wait: the data of "Create" is pinned, so no status changes are reported to this execution',
		);
		expect(time.now() - before).toBeLessThan(5_000);
	});

	test('although others are pinned, it looks for one that is not', async () => {
		const { error } = await runFlow({
			nodes: { Create, Wait: { operation: 'wait', which: 'requestId', requestId: 'B' } },
			edges: ['Trigger -> Create -> Wait'],
			pinData: pinned('A'),
			mode: 'manual',
			statuses: { B: 'open' },
		});
		expect(error?.message).toContain('After ten minutes of looking, 0 of 1');
	});
});

test('a disabled Create has created nothing, although items with request IDs pass through it', async () => {
	const { error } = await runFlow({
		...REMINDERS,
		pinData: { Rows: [{ json: { requestId: 'A' } }] },
		settings: { Create: { disabled: true } },
	});
	expect(error?.message).toContain('No collection request has been created before this node');
	const advice =
		'If a sub-workflow creates them, put this node into the sub-workflow, too. To wait for others, e.g. from a table or a trigger, set Collection Requests to By Request ID and turn on Limit Wait Time';
	expect(error?.description).toContain(advice);
});

test.each<[string, INodeParameters]>([
	['nobody', { notify: 'none' }],
	[
		'a trigger, for one of two',
		{
			notify: '={{ $json.row === "A" ? "wait" : "trigger" }}',
			webhookUrl: 'http://127.0.0.1:9/webhook/1/webhook',
		},
	],
])('if Create reports to %s, nothing can end a Wait without a limit', async (_who, target) => {
	const { error } = await runFlow({
		...REMINDERS,
		rows: ['A', 'B'],
		nodes: { Create: { ...Create, ...target }, Wait: { operation: 'wait' } },
	});
	expect(error?.message).toContain('no status changes are reported to this execution');
});

test('quotes and braces in the names of nodes do no harm, and errors of Create are left out', async () => {
	const odd = (name: string) => `"${name}" them's {{ $json }} \\ \``;
	const email = '={{ $json.row === "B" ? "nobody" : "ada@example.com" }}';
	const { error, waits, itemsOf } = await runFlow({
		rows: ['A', 'B', 'C'],
		nodes: {
			[odd('Ask')]: { ...Create, participants: { participant: [{ email }] } },
			[odd('Await')]: Wait,
		},
		edges: [
			`Trigger -> Rows -> ${odd('Ask')} -> ${odd('Await')}`,
			`${odd('Ask')}/1 -> Failed -> ${odd('Await')}`,
		],
		settings: { [odd('Ask')]: { onError: 'continueErrorOutput' } },
		events: [{ A: 'completed', C: 'completed' }],
	});
	expect([error, waits]).toEqual([undefined, [`${odd('Await')} awaits A C: done A C`]]);
	const failed = { error: 'Participant 1 has no valid email: nobody' };
	expect(itemsOf(odd('Ask'), 1)).toMatchObject([[failed]]);
});

test.each<[string, Partial<Flow>, waits: string[], item: object]>([
	['a notification ends it', { events: [ALL] }, ['Wait awaits A: done A'], { isReached: true }],
	['its limit ends it', {}, ['Wait awaits A: timed out'], { timedOut: true }],
	['its limit is over while it looks', { mode: 'manual' }, [], { timedOut: true }],
])('as a tool of an agent, by its only output: %s', async (_title, flow, waits, item) => {
	const outcome = await runFlow({
		// n8n shows a tool's Request ID whatever Collection Requests says.
		nodes: { Wait: { ...Wait, resumeUnit: 'minutes', which: 'requestId', requestId: 'A' } },
		edges: ['Trigger -> Wait'],
		settings: { Wait: { type: 'n8n-nodes-data-collection.dataCollectionTool' } },
		statuses: { A: 'open' },
		...flow,
	});
	expect(outcome).toMatchObject({ error: undefined, waits });
	expect(outcome.itemsOf('Wait')).toMatchObject([[{ requestId: 'A', ...item }]]);
});
