import type { INodeParameters } from 'n8n-workflow';
import { newExecution } from './support/engine.mts';
import { runFlow, type Flow } from './support/flow.mts';
import { CREATE, REMINDERS, WAIT } from './support/reminders.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const play = async (flow: Partial<Flow>) =>
	await runFlow({ rows: ['A', 'B', 'C'], ...REMINDERS, ...flow });

describe('reminders until a fixed time', () => {
	const until = { operation: 'wait', limitWaitTime: true, limitType: 'atSpecifiedTime' };
	const maxDateAndTime = new Date(time.now() + 60 * 60_000).toISOString();
	const nodes = { ...REMINDERS.nodes, Wait: { ...until, maxDateAndTime } };
	const message = 'Max Date and Time is over, and the same collection requests timed out before';

	test.each([
		['that comes during the wait', 0],
		['that was over before the first wait', 2 * 60 * 60_000],
	])('%s: people are reminded once, and not without end', async (_title, late) => {
		time.advance(late);
		const { error, seen } = await play({ nodes });
		expect(error?.message).toBe(message);
		expect(error?.description).toContain('After Time Interval');
		expect(seen.Remind).toHaveLength(1);
	});

	test('what times out for the first time leaves by Timed Out, whatever timed out before', async () => {
		const { error, waits, itemsOf } = await play({
			rows: ['A'],
			nodes: { ...nodes, Other: { ...CREATE, templateId: '=x{{ $json.row }}' }, Late: 'email' },
			edges: [
				'Trigger -> Offices',
				'Offices -> Create',
				'Offices -> Other',
				'Create -> Wait',
				'Other -> Wait',
				'Wait/1 -> Late',
			],
		});
		expect(error).toBeUndefined();
		expect(waits).toEqual(['Wait awaits A: timed out']);
		expect(itemsOf('Wait', 1)).toMatchObject([[{ requestId: 'A' }], [{ requestId: 'xA' }]]);
	});
});

test('an interval that is over while a manual execution looks: people are reminded in each round', async () => {
	let reminded = 0;
	const { error, seen } = await play({
		rows: ['A'],
		nodes: { ...REMINDERS.nodes, Wait: { ...WAIT, resumeUnit: 'minutes' } },
		execution: { ...newExecution(), mode: 'manual' },
		onRun: (name, statuses) => {
			if (name === 'Remind') reminded += 1;
			if (reminded === 2) statuses.A = 'completed';
		},
	});
	expect(error).toBeUndefined();
	expect(seen.Remind).toHaveLength(2);
	expect(seen.Answers).toMatchObject([[{ requestId: 'A' }]]);
});

test('two branches that are reminded one after the other: each round awaits its own branch', async () => {
	const { error, waits } = await play({
		rows: ['A'],
		nodes: {
			Trigger: 'trigger',
			Offices: 'rows',
			Create: CREATE,
			Other: { ...CREATE, templateId: '=x{{ $json.row }}' },
			Wait: WAIT,
			Remind: 'email',
			Answers: 'email',
		},
		edges: [
			'Trigger -> Offices',
			'Offices -> Create',
			'Offices -> Other',
			'Create -> Wait',
			'Other -> Wait',
			'Wait -> Answers',
			'Wait/1 -> Remind',
			'Remind -> Wait',
		],
		events: [{}, { A: 'completed' }, {}, { xA: 'completed' }],
	});
	expect(error).toBeUndefined();
	expect(waits).toEqual([
		'Wait awaits A: timed out',
		'Wait awaits A: done A',
		'Wait awaits xA: timed out',
		'Wait awaits xA: done xA',
	]);
});

test('what a second Wait has put out does not come out once more when more is created later', async () => {
	const { error, waits, seen } = await play({
		rows: ['A'],
		nodes: {
			Trigger: 'trigger',
			Offices: 'rows',
			Create: CREATE,
			Other: { ...CREATE, templateId: '=x{{ $json.row }}' },
			First: WAIT,
			Second: WAIT,
			Answers: 'email',
		},
		edges: [
			'Trigger -> Offices',
			'Offices -> Create',
			'Offices -> Other',
			'Create -> First',
			'Other -> First',
			'First -> Second',
			'Second -> Answers',
		],
		events: [{ A: 'completed' }, { xA: 'completed' }],
	});
	expect(error).toBeUndefined();
	expect(waits).toEqual(['First awaits A: done A', 'First awaits xA: done xA']);
	expect(seen.Answers).toMatchObject([[{ requestId: 'A' }], [{ requestId: 'xA' }]]);
});

test('a Create that has run twice before it: all that it has created', async () => {
	const nodes = {
		Trigger: 'trigger',
		Offices: 'rows',
		Create: CREATE,
		Nothing: 'nothing',
	} as const;
	const created = await play({
		rows: ['A', 'B'],
		nodes: { ...nodes, More: 'rows', Wait: WAIT },
		edges: [
			'Trigger -> Offices',
			'Trigger -> More',
			'Offices -> Create',
			'More -> Create',
			'Create -> Nothing',
			'Nothing -> Wait',
		],
	});
	const { itemsOf } = await play({
		nodes: { ...nodes, Wait: WAIT },
		edges: ['Trigger -> Offices', 'Offices -> Create', 'Create -> Nothing', 'Nothing -> Wait'],
		start: { node: 'Wait', from: 'Nothing', input: [{}] },
		runData: created.run.data.resultData.runData,
		statuses: { A: 'completed', B: 'completed', A2: 'completed', B2: 'completed' },
	});
	const [done = []] = itemsOf('Wait').slice(-1);
	expect(done.map(({ requestId }) => requestId)).toEqual(['A', 'B', 'A2', 'B2']);
});

test.each<[string, INodeParameters]>([
	// What the editor keeps of an earlier choice counts for nothing.
	['an expression decides', { waitFor: '={{ "open" }}', waitForStatuses: ['completed'] }],
	['other statuses reach, too', { waitFor: 'open' }],
])('an earlier Wait whose goal %s: nobody is left out', async (_title, goal) => {
	const { waits } = await play({
		nodes: {
			Trigger: 'trigger',
			Offices: 'rows',
			Create: CREATE,
			First: { operation: 'wait', ...goal, options: { numberToWaitFor: 2 } },
			Second: WAIT,
		},
		edges: ['Trigger -> Offices', 'Offices -> Create', 'Create -> First', 'First -> Second'],
		statuses: { A: 'open', B: 'open', C: 'draft' },
		events: [{ A: 'completed', B: 'completed', C: 'completed' }],
	});
	expect(waits).toEqual(['Second awaits A B C: done A B C']);
});
