import type { INodeParameters } from 'n8n-workflow';
import {
	CREATE,
	CREATE_FOR_TWO,
	REMINDERS,
	runFlow,
	shown,
	WAIT,
	type Flow,
} from './support/flow.mts';
import { useVirtualTime } from './support/virtualTime.mts';

// A Wait for what has been created before it: what it awaits in each round, and in each workflow.

const time = useVirtualTime();
const ALL = { A: 'completed', B: 'completed', C: 'completed' };
const FORM = { Trigger: 'trigger', Offices: 'rows', Create: CREATE } as const;
const OTHER = { ...CREATE, templateId: '=x{{ $json.row }}' };

const play = async (flow: Partial<Flow> = {}) => await runFlow({ ...REMINDERS, ...flow });

/** Plays a workflow without errors. */
async function played(flow: Partial<Flow>) {
	const outcome = await play(flow);
	expect(outcome.error).toBeUndefined();
	return outcome;
}

describe('reminders', () => {
	test.each([
		['one person', CREATE, [['B B B', 'C C C'], ['C C C']], ['A A A', 'B B B', 'C C C']],
		[
			'two people',
			CREATE_FOR_TWO,
			[
				['B none B', 'B none B', 'C none C', 'C none C'],
				['C none C', 'C none C'],
			],
			['A none A', 'B none B', 'C none C'],
		],
	])('for %s: each round reminds who is missing', async (_title, Create, reminded, done) => {
		const { waits, seen, hintsOf } = await played({
			nodes: { ...REMINDERS.nodes, Create },
			events: [{ A: 'completed' }, { B: 'completed' }, { C: 'completed' }],
		});
		expect([...hintsOf('Create'), ...hintsOf('People')]).toEqual([]);
		const timedOut = 'Wait awaits A B C: timed out';
		expect(waits).toEqual([timedOut, timedOut, 'Wait awaits A B C: done A B C']);
		expect(shown(seen.Remind)).toEqual(reminded);
		expect(shown(seen.Answers)).toEqual([done]);
	});

	test('two of three: only those that are there come out', async () => {
		const Wait = { ...WAIT, options: { numberToWaitFor: 2 } };
		const { waits } = await played({
			nodes: { ...REMINDERS.nodes, Wait },
			events: [{ A: 'completed', C: 'completed' }],
		});
		expect(waits).toEqual(['Wait awaits A B C: done A C']);
	});

	test('in a workflow of Execution Logic v2, where n8n gives the fields in place of the items', async () => {
		const { waits, itemsOf } = await played({
			workflowSettings: { binaryMode: 'combined' },
			links: [],
			events: [{ A: 'completed' }, ALL],
		});
		expect(waits).toEqual(['Wait awaits A B C: timed out', 'Wait awaits A B C: done A B C']);
		expect(itemsOf('Remind')).toHaveLength(1);
	});

	test('of two branches one after the other: each round awaits its own branch', async () => {
		const { waits } = await played({
			rows: ['A'],
			nodes: { ...FORM, Other: OTHER, Wait: WAIT, Remind: 'email', Answers: 'email' },
			edges: [
				'Trigger -> Offices -> Create -> Wait -> Answers',
				'Offices -> Other -> Wait',
				'Wait/1 -> Remind -> Wait',
			],
			events: [{}, { A: 'completed' }, {}, { xA: 'completed' }],
		});
		expect(waits).toEqual([
			'Wait awaits A: timed out',
			'Wait awaits A: done A',
			'Wait awaits xA: timed out',
			'Wait awaits xA: done xA',
		]);
	});

	test('in each round, although the interval is over while a manual execution looks', async () => {
		let reminded = 0;
		const { seen } = await played({
			rows: ['A'],
			nodes: { ...REMINDERS.nodes, Wait: { ...WAIT, resumeUnit: 'minutes' } },
			mode: 'manual',
			onRun: (name, statuses) => {
				if (name === 'Remind') reminded += 1;
				if (reminded === 2) statuses.A = 'completed';
			},
		});
		expect(seen.Remind).toHaveLength(2);
		expect(seen.Answers).toMatchObject([[{ requestId: 'A' }]]);
	});
});

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
		const { waits, itemsOf } = await played({
			rows: ['A'],
			nodes: { ...nodes, Other: OTHER, Late: 'email' },
			edges: ['Trigger -> Offices -> Create -> Wait', 'Offices -> Other -> Wait', 'Wait/1 -> Late'],
		});
		expect(waits).toEqual(['Wait awaits A: timed out']);
		expect(itemsOf('Wait', 1)).toMatchObject([[{ requestId: 'A' }], [{ requestId: 'xA' }]]);
	});
});

describe('several Waits', () => {
	test('Opened, then Completed: what was completed at the first comes out of the second, too', async () => {
		const { waits, seen } = await played({
			nodes: {
				...REMINDERS.nodes,
				Create: CREATE_FOR_TWO,
				Opened: { ...WAIT, waitFor: 'open' },
			},
			edges: ['Trigger -> Offices -> Create -> Opened -> Email -> Wait -> Answers'],
			statuses: { A: 'draft', B: 'draft', C: 'draft' },
			events: [{ A: 'completed', B: 'open', C: 'open' }, ALL],
		});
		expect(waits).toEqual(['Opened awaits A B C: done A B C', 'Wait awaits A B C: done A B C']);
		expect(shown(seen.Answers)).toEqual([['A none A', 'B none B', 'C none C']]);
	});

	test('one behind Timed Out of the first awaits only what the first is not done with', async () => {
		const { waits } = await played({
			nodes: { ...REMINDERS.nodes, Last: WAIT },
			edges: ['Trigger -> Offices -> Create -> Wait', 'Wait/1 -> Last -> Answers'],
			events: [{ A: 'completed' }, ALL],
		});
		expect(waits).toEqual(['Wait awaits A B C: timed out', 'Last awaits A B C: done A B C']);
	});

	test('what an earlier one for the same status is done with is left out', async () => {
		const { waits } = await played({
			nodes: { ...FORM, First: { ...WAIT, options: { numberToWaitFor: 1 } }, Second: WAIT },
			edges: ['Trigger -> Offices -> Create -> First -> Second'],
			events: [{ B: 'completed' }, { A: 'completed', C: 'completed' }],
		});
		expect(waits).toEqual(['First awaits A B C: done B', 'Second awaits A C: done A C']);
	});

	test('what the second has put out does not come out once more when more is created later', async () => {
		const { waits, seen } = await played({
			rows: ['A'],
			nodes: { ...FORM, Other: OTHER, First: WAIT, Second: WAIT, Answers: 'email' },
			edges: [
				'Trigger -> Offices -> Create -> First -> Second -> Answers',
				'Offices -> Other -> First',
			],
			events: [{ A: 'completed' }, { xA: 'completed' }],
		});
		expect(waits).toEqual(['First awaits A: done A', 'First awaits xA: done xA']);
		expect(seen.Answers).toMatchObject([[{ requestId: 'A' }], [{ requestId: 'xA' }]]);
	});

	test.each<[string, INodeParameters]>([
		// What the editor keeps of an earlier choice counts for nothing.
		['an expression decides', { waitFor: '={{ "open" }}', waitForStatuses: ['completed'] }],
		['other statuses reach, too', { waitFor: 'open' }],
	])('an earlier one whose goal %s: nobody is left out', async (_title, goal) => {
		const First = { operation: 'wait', ...goal, options: { numberToWaitFor: 2 } };
		const { waits } = await played({
			nodes: { ...FORM, First, Second: WAIT },
			edges: ['Trigger -> Offices -> Create -> First -> Second'],
			statuses: { A: 'open', B: 'open', C: 'draft' },
			events: [ALL],
		});
		expect(waits).toEqual(['Second awaits A B C: done A B C']);
	});
});

describe('what Create has created', () => {
	test('by two branches into one Wait: each in its turn', async () => {
		const { waits, seen } = await played({
			rows: ['A', 'B'],
			nodes: { ...REMINDERS.nodes, Other: OTHER },
			edges: [
				'Trigger -> Offices -> Create -> Wait -> Answers',
				'Offices -> Other -> Wait',
				'Wait/1 -> Email',
			],
			events: [{}, { xA: 'completed', xB: 'completed' }],
		});
		expect(waits).toEqual(['Wait awaits A B: timed out', 'Wait awaits xA xB: done xA xB']);
		expect(shown(seen.Answers)).toEqual([['xA none A', 'xB none B']]);
	});

	test('in two runs, in an execution before: all of it, step by step in the editor', async () => {
		const nodes = { ...FORM, Nothing: 'nothing', Wait: WAIT } as const;
		const edges = ['Trigger -> Offices -> Create -> Nothing -> Wait'];
		const created = await played({
			rows: ['A', 'B'],
			nodes: { ...nodes, More: 'rows' },
			edges: [...edges, 'Trigger -> More -> Create'],
		});
		const step = { nodes, edges, stepAfter: 'Nothing', mode: 'manual' } as const;
		const statuses = { ...ALL, A2: 'completed', B2: 'completed' };
		const { itemsOf } = await played({ ...step, runData: created.runData, statuses });
		const [done = []] = itemsOf('Wait').slice(-1);
		expect(done.map(({ requestId }) => requestId)).toEqual(['A', 'B', 'A2', 'B2']);
	});

	test('is what is pinned at it if it never ran', async () => {
		const items = [{ requestId: 'A' }, { requestId: 'B' }];
		const pinData = { Create: items.map((item) => ({ json: item })) };
		const step = { stepAfter: 'Email', mode: 'manual' } as const;
		const { itemsOf } = await played({ ...step, pinData, statuses: ALL });
		expect(itemsOf('Wait')).toMatchObject([items]);
	});

	test('is said to be pinned, at once, if it is not there yet and nothing is reported', async () => {
		const pinData = { Create: [{ json: { requestId: 'A' } }] };
		const before = time.now();
		const edges = ['Trigger -> Create -> Wait'];
		const nodes = { ...REMINDERS.nodes, Wait: { operation: 'wait' } };
		const statuses = { A: 'open' };
		const { error } = await play({ nodes, edges, pinData, mode: 'manual', statuses });
		expect(error?.message).toBe(
			'Nothing can end this wait: the data of "Create" is pinned, so no status changes are reported to this execution',
		);
		expect(time.now() - before).toBeLessThan(5_000);
	});

	test('is nothing if it is disabled: then it passes on what it gets', async () => {
		const { error } = await play({
			pinData: { Offices: [{ json: { requestId: 'A' } }] },
			settings: { Create: { disabled: true } },
		});
		expect(error?.message).toContain('No collection request has been created before this node');
		const advice =
			'If a sub-workflow creates them, put this node into the sub-workflow, too. To wait for others, e.g. from a table or a trigger, set Collection Requests to By Request ID and turn on Limit Wait Time';
		expect(error?.description).toContain(advice);
	});

	test('is reported to nobody if it says so: nothing can end the Wait after it', async () => {
		const Create = { ...CREATE, notify: 'none' };
		const { error } = await play({
			rows: ['A'],
			nodes: { ...REMINDERS.nodes, Create, Wait: { operation: 'wait' } },
		});
		expect(error?.message).toContain('no status changes are reported to this execution');
	});

	test('is found if the nodes have quotes and braces in their names, and leaves out its errors', async () => {
		const odd = (name: string) => `"${name}" them's {{ $json }} \\ \``;
		const email = '={{ $json.row === "B" ? "nobody" : "ada@example.com" }}';
		const create: INodeParameters = { participants: { participant: [{ email }] } };
		const { waits, itemsOf } = await played({
			links: [],
			nodes: {
				...FORM,
				[odd('Ask')]: { ...CREATE, ...create },
				Failed: 'email',
				[odd('Await')]: WAIT,
			},
			edges: [
				`Trigger -> Offices -> ${odd('Ask')} -> ${odd('Await')}`,
				`${odd('Ask')}/1 -> Failed -> ${odd('Await')}`,
			],
			settings: { [odd('Ask')]: { onError: 'continueErrorOutput' } },
			events: [{ A: 'completed', C: 'completed' }],
		});
		expect(waits).toEqual([`${odd('Await')} awaits A C: done A C`]);
		const error = 'Participant 1 has no valid email: nobody';
		expect(itemsOf(odd('Ask'), 1)).toMatchObject([[{ error }]]);
	});
});

describe('as a tool of an agent it waits by request ID', () => {
	// n8n shows a tool's Request ID whatever Collection Requests says.
	const Wait = { ...WAIT, which: 'requestId', requestId: 'A' };

	test.each<[string, Partial<Flow>, string[], object]>([
		['a notification ends it', { events: [ALL] }, ['Wait awaits A: done A'], { isReached: true }],
		['its limit ends it', {}, ['Wait awaits A: timed out'], { timedOut: true }],
		['its limit is over while it looks', { mode: 'manual' }, [], { timedOut: true }],
	])('%s: by its only output', async (_title, flow, ended, result) => {
		const { waits, itemsOf } = await played({
			nodes: { Trigger: 'trigger', Wait: { ...Wait, resumeUnit: 'minutes' } },
			edges: ['Trigger -> Wait'],
			settings: { Wait: { type: 'n8n-nodes-data-collection.dataCollectionTool' } },
			statuses: { A: 'open' },
			...flow,
		});
		expect(waits).toEqual(ended);
		expect(itemsOf('Wait')).toMatchObject([[{ requestId: 'A', ...result }]]);
	});
});
