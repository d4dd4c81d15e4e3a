import { newExecution } from './support/engine.mts';
import { runFlow, type Flow } from './support/flow.mts';
import { CREATE, CREATE_FOR_TWO, REMINDERS, shown, WAIT } from './support/reminders.mts';
import { useVirtualTime } from './support/virtualTime.mts';

useVirtualTime();

/** Two people for each office. */
const nodes = { ...REMINDERS.nodes, Create: CREATE_FOR_TWO };

const play = async (flow: Partial<Flow>) => {
	const whole = {
		rows: ['A', 'B', 'C'],
		links: ['Create', 'Offices'],
		...REMINDERS,
		nodes,
		...flow,
	};
	const played = await runFlow(whole);
	expect(played.error).toBeUndefined();
	return played;
};

describe('reminders', () => {
	test('each round awaits those that timed out in the last one, and reminds who is missing', async () => {
		const { waits, seen, hintsOf } = await play({
			events: [{ A: 'completed' }, { B: 'completed' }, { C: 'completed' }],
		});
		expect([...hintsOf('Create'), ...hintsOf('People')]).toEqual([]);
		expect(waits).toEqual([
			'Wait awaits A B C: timed out',
			'Wait awaits A B C: timed out',
			'Wait awaits A B C: done A B C',
		]);
		const twice = (id: string) => [`${id} none ${id}`, `${id} none ${id}`];
		expect(shown(seen.Remind)).toEqual([[...twice('B'), ...twice('C')], twice('C')]);
		expect(shown(seen.Answers)).toEqual([['A none A', 'B none B', 'C none C']]);
	});

	test('one person for each collection request: each item keeps its own data', async () => {
		const { seen } = await play({
			nodes: { ...nodes, Create: CREATE },
			events: [{ A: 'completed' }, { B: 'completed' }, { C: 'completed' }],
		});
		expect(shown(seen.Remind)).toEqual([['B B B', 'C C C'], ['C C C']]);
		expect(shown(seen.Answers)).toEqual([['A A A', 'B B B', 'C C C']]);
	});

	test('all are completed while nobody waits: they leave as completed, once', async () => {
		const late = { A: 'completed', B: 'completed', C: 'completed' };
		const { waits, seen, itemsOf } = await play({
			events: [{}],
			whileNobodyWaits: [late],
		});
		expect(waits).toEqual(['Wait awaits A B C: timed out']);
		expect(seen.Remind).toBeUndefined();
		expect(itemsOf('People')).toEqual([[]]);
		expect(shown(seen.Answers)).toEqual([['A none A', 'B none B', 'C none C']]);
	});

	test('all are completed before the next round: they come out at once, each with its own data', async () => {
		const { seen } = await play({
			nodes: { ...nodes, People: 'code' },
			events: [{}],
			whileNobodyWaits: [{ A: 'completed', B: 'completed', C: 'completed' }],
		});
		expect(shown(seen.Answers)).toEqual([['A none A', 'B none B', 'C none C']]);
	});

	test('a node between that makes one item of all: nothing is linked with another person', async () => {
		const { waits, seen } = await play({
			nodes: { ...nodes, Email: 'code' },
			events: [{ A: 'completed' }, { B: 'completed', C: 'completed' }],
		});
		expect(waits).toEqual(['Wait awaits A B C: timed out', 'Wait awaits A B C: done A B C']);
		expect(shown(seen.Answers)).toEqual([['A none none', 'B none none', 'C none none']]);
	});
});

test('Opened, then Completed: what was completed at the first comes out of the second, too', async () => {
	const { waits, seen } = await play({
		nodes: {
			Trigger: 'trigger',
			Offices: 'rows',
			Create: CREATE_FOR_TWO,
			Opened: { ...WAIT, waitFor: 'open' },
			Thanks: 'email',
			Wait: WAIT,
			Answers: 'email',
		},
		edges: [
			'Trigger -> Offices',
			'Offices -> Create',
			'Create -> Opened',
			'Opened -> Thanks',
			'Thanks -> Wait',
			'Wait -> Answers',
		],
		statuses: { A: 'draft', B: 'draft', C: 'draft' },
		events: [
			{ A: 'completed', B: 'open', C: 'open' },
			{ B: 'completed', C: 'completed' },
		],
	});
	expect(waits).toEqual(['Opened awaits A B C: done A B C', 'Wait awaits A B C: done A B C']);
	expect(shown(seen.Answers)).toEqual([['A none A', 'B none B', 'C none C']]);
});

test('a form, then a second form: the second Wait awaits the new ones', async () => {
	const { waits, seen } = await play({
		rows: ['A', 'B'],
		links: ['Create', 'Offices'],
		nodes: {
			Trigger: 'trigger',
			Offices: 'rows',
			Create: CREATE,
			First: WAIT,
			Again: { operation: 'create', templateId: '={{ $json.requestId }}' },
			Second: WAIT,
			Answers: 'email',
		},
		edges: [
			'Trigger -> Offices',
			'Offices -> Create',
			'Create -> First',
			'First -> Again',
			'Again -> Second',
			'Second -> Answers',
		],
		events: [
			{ A: 'completed', B: 'completed' },
			{ A2: 'completed', B2: 'completed' },
		],
	});
	expect(waits).toEqual(['First awaits A B: done A B', 'Second awaits A2 B2: done A2 B2']);
	expect(shown(seen.Answers)).toEqual([['A2 A A', 'B2 B B']]);
});

test('a second Wait behind Timed Out of the first awaits only what the first is not done with', async () => {
	const { waits, seen } = await play({
		nodes: {
			...nodes,
			Last: WAIT,
			Late: 'email',
		},
		edges: [
			...REMINDERS.edges.filter((edge) => edge !== 'Remind -> Wait'),
			'Remind -> Last',
			'Last -> Answers',
			'Last/1 -> Late',
		],
		events: [{ A: 'completed' }, { B: 'completed', C: 'completed' }],
	});
	expect(waits).toEqual(['Wait awaits A B C: timed out', 'Last awaits A B C: done A B C']);
	expect(shown(seen.Answers)).toEqual([['A none A', 'B none B', 'C none C']]);
});

test('two branches into one Wait: it awaits what each has created, one after the other', async () => {
	const { waits, seen } = await play({
		rows: ['A', 'B'],
		nodes: {
			Trigger: 'trigger',
			Offices: 'rows',
			Create: CREATE,
			Other: { operation: 'create', templateId: '={{ "x" + $json.row }}' },
			Wait: WAIT,
			Answers: 'email',
			Late: 'email',
		},
		edges: [
			'Trigger -> Offices',
			'Offices -> Create',
			'Offices -> Other',
			'Create -> Wait',
			'Other -> Wait',
			'Wait -> Answers',
			'Wait/1 -> Late',
		],
		events: [{}, { xA: 'completed', xB: 'completed' }],
	});
	expect(waits).toEqual(['Wait awaits A B: timed out', 'Wait awaits xA xB: done xA xB']);
	expect(seen.Answers?.flat().map(({ Create }) => Create)).toEqual(['none', 'none']);
});

test('two of three: only those that are there come out', async () => {
	const { waits, seen } = await play({
		nodes: { ...nodes, Wait: { ...WAIT, options: { numberToWaitFor: 2 } } },
		events: [{ A: 'completed', C: 'completed' }],
	});
	expect(waits).toEqual(['Wait awaits A B C: done A C']);
	expect(shown(seen.Answers)).toEqual([['A none none', 'C none none']]);
});

test('in a workflow of Execution Logic v2, where n8n gives the fields in place of the items', async () => {
	const { waits, itemsOf } = await play({
		workflowSettings: { binaryMode: 'combined' },
		links: [],
		events: [{ A: 'completed' }, { B: 'completed', C: 'completed' }],
	});
	expect(waits).toEqual(['Wait awaits A B C: timed out', 'Wait awaits A B C: done A B C']);
	expect(itemsOf('Remind')).toHaveLength(1);
});

describe('step by step in the editor, a manual execution of Wait alone', () => {
	const ITEMS = [{ requestId: 'A' }, { requestId: 'B' }];
	const step = {
		rows: ['A', 'B'],
		start: { node: 'Wait', from: 'Email', input: [{ sent: true }] },
		statuses: { A: 'completed', B: 'completed' },
		execution: { ...newExecution(), mode: 'manual' as const },
	};

	test('knows what Create has put out in the execution before', async () => {
		const { run } = await play({ rows: ['A', 'B'], events: [{}] });
		const { runData } = run.data.resultData;
		delete runData.Wait;
		const { itemsOf } = await play({ ...step, runData });
		expect(
			itemsOf('Wait')
				.at(-1)
				?.map(({ requestId }) => requestId),
		).toEqual(['A', 'B']);
	});

	test('knows what is pinned at a Create that never ran', async () => {
		const pinData = { Create: ITEMS.map((json) => ({ json })) };
		const { itemsOf } = await play({ ...step, pinData });
		expect(itemsOf('Wait')).toMatchObject([ITEMS]);
	});
});

test('a Create whose name has quotes and braces, and whose error output is connected', async () => {
	const name = `"Ask" them's {{ $json }} \\ \``;
	const email = '={{ $json.row === "B" ? "nobody" : "ada@example.com" }}';
	const { waits, itemsOf } = await play({
		nodes: {
			Trigger: 'trigger',
			Offices: 'rows',
			[name]: { ...CREATE, participants: { participant: [{ email }] } },
			Wait: WAIT,
			Failed: 'email',
		},
		edges: [
			'Trigger -> Offices',
			`Offices -> ${name}`,
			`${name} -> Wait`,
			`${name}/1 -> Failed`,
			'Failed -> Wait',
		],
		settings: { [name]: { onError: 'continueErrorOutput' } },
		events: [{ A: 'completed', C: 'completed' }],
	});
	expect(waits).toEqual(['Wait awaits A C: done A C']);
	expect(itemsOf(name, 1)).toMatchObject([[{ error: 'Participant 1 has no valid email: nobody' }]]);
});

test('a Create that is disabled has created nothing: it passes on what it gets', async () => {
	const { error } = await runFlow({
		...REMINDERS,
		nodes: { ...nodes, Offices: 'requests' },
		rows: ['A'],
		settings: { Create: { disabled: true } },
	});
	expect(error?.message).toContain('No collection request has been created before this node');
});

test('a Create that reports to nobody: nothing can end the Wait after it', async () => {
	const create = { ...CREATE, notify: 'none' };
	const { error } = await runFlow({
		...REMINDERS,
		nodes: { ...nodes, Create: create, Wait: { operation: 'wait' } },
		rows: ['A'],
	});
	expect(error?.message).toContain('no status changes are reported to this execution');
});

test('40 collection requests with 20 people each: each keeps the data of its office', async () => {
	const rows = Array.from({ length: 40 }, (_, index) => `r${index}-`);
	const participant = rows.slice(0, 20).map((row) => ({ email: `${row}@example.com` }));
	const create = { ...CREATE, participants: { participant }, options: { concurrency: 50 } };
	const { waits, seen } = await play({
		rows,
		nodes: { ...nodes, Create: create },
		links: ['Offices'],
		events: [Object.fromEntries(rows.map((id) => [id, 'completed']))],
	});
	expect(waits).toEqual([`Wait awaits ${rows.join(' ')}: done ${rows.join(' ')}`]);
	expect(seen.Answers?.flat().map(({ Offices }) => Offices)).toEqual(rows);
});

describe('as a tool of an agent', () => {
	// n8n shows a tool's Request ID whatever Collection Requests says.
	const TOOL_WAIT = { ...WAIT, which: 'requestId', requestId: 'A' };
	const tool = {
		nodes: { Trigger: 'trigger', Wait: TOOL_WAIT } as Flow['nodes'],
		edges: ['Trigger -> Wait'],
		settings: { Wait: { type: 'n8n-nodes-data-collection.dataCollectionTool' } },
		statuses: { A: 'open' },
	};

	test('it waits by request ID, and what times out leaves by its only output', async () => {
		const { waits, itemsOf } = await play({ ...tool, events: [{}] });
		expect(waits).toEqual(['Wait awaits A: timed out']);
		expect(itemsOf('Wait')).toMatchObject([[{ requestId: 'A', timedOut: true }]]);
	});

	test('in a manual execution, too, whose limit is over while it looks', async () => {
		const execution = { ...newExecution(), mode: 'manual' as const };
		const nodes = { ...tool.nodes, Wait: { ...TOOL_WAIT, resumeUnit: 'minutes' } };
		const { waits, itemsOf } = await play({ ...tool, nodes, execution });
		expect(waits).toEqual([]);
		expect(itemsOf('Wait')).toMatchObject([[{ requestId: 'A', timedOut: true }]]);
	});

	test('a notification ends it', async () => {
		const { itemsOf } = await play({ ...tool, events: [{ A: 'completed' }] });
		expect(itemsOf('Wait')).toMatchObject([[{ requestId: 'A', isReached: true }]]);
	});
});
