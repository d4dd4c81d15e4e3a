import {
	CREATE,
	CREATE_FOR_TWO,
	REMINDERS,
	runFlow,
	shown,
	WAIT,
	type Flow,
} from './support/flow.mts';

// `$('Offices').item` behind a Wait: what comes out of it is linked with its own data, or with none.

const ALL = { A: 'completed', B: 'completed', C: 'completed' };
const EVENTS: Flow['events'] = [{ A: 'completed' }, { B: 'completed', C: 'completed' }];
const FOR_TWO = { ...REMINDERS.nodes, Create: CREATE_FOR_TWO };

/** Plays a workflow, and returns what each item of Answers is linked with. */
async function answersOf(flow: Partial<Flow>) {
	const { error, seen } = await runFlow({ ...REMINDERS, ...flow });
	expect(error).toBeUndefined();
	return shown(seen.Answers);
}

describe('a wait that ends at once links each with its own data', () => {
	test('when one email was sent for all', async () => {
		const settings = { Email: { executeOnce: true } };
		const answers = await answersOf({ settings, statuses: ALL });
		expect(answers).toEqual([['A A A', 'B B B', 'C C C']]);
	});

	test('or with nobody, if no node before it has one item for each', async () => {
		const nodes = { ...FOR_TWO, Email: 'code' } as const;
		const answers = await answersOf({ nodes, statuses: ALL });
		// n8n links the one item of the code node with the first of all that it got.
		expect(answers).toEqual([['A A A', 'B none none', 'C none none']]);
	});

	test('when only one person was reminded and completes before it', async () => {
		const answers = await answersOf({
			onRun: (name, statuses) => {
				if (name === 'Email') Object.assign(statuses, { A: 'completed', B: 'completed' });
				if (name === 'Remind') statuses.C = 'completed';
			},
		});
		expect(answers).toEqual([['A A A', 'B B B', 'C C C']]);
	});

	test('when all complete between two rounds', async () => {
		const answers = await answersOf({
			nodes: { ...FOR_TWO, People: 'code' },
			onRun: (name, statuses) => void (name === 'People' && Object.assign(statuses, ALL)),
		});
		expect(answers).toEqual([['A none A', 'B none B', 'C none C']]);
	});
});

describe('a wait that has waited links each with its own data', () => {
	test('from the nearest node that has one item for each', async () => {
		const answers = await answersOf({
			nodes: {
				...REMINDERS.nodes,
				Create: { ...CREATE_FOR_TWO, output: 'collectionRequest' },
				All: { operation: 'getParticipants' },
			},
			edges: [
				'Trigger -> Offices -> Create -> All -> Email -> Wait -> Answers',
				'Wait/1 -> Remind -> Wait',
			],
			events: EVENTS,
		});
		expect(answers).toEqual([['A A A', 'B B B', 'C C C']]);
	});

	test('through what timed out in the last round, if nothing else fits', async () => {
		const answers = await answersOf({
			nodes: FOR_TWO,
			edges: ['Trigger -> Offices -> Create -> Wait -> Answers', 'Wait/1 -> Remind -> Wait'],
			events: EVENTS,
		});
		expect(answers).toEqual([['A none A', 'B none B', 'C none C']]);
	});

	test('or with nobody, if a node makes one item of all, or if not all come out', async () => {
		const numberToWaitFor = { options: { numberToWaitFor: 2 } };
		for (const [nodes, ids] of [
			[{ ...FOR_TWO, Email: 'code' }, ['A', 'B', 'C']],
			[{ ...REMINDERS.nodes, Wait: { ...WAIT, ...numberToWaitFor } }, ['B', 'C']],
		] as const) {
			const answers = await answersOf({
				nodes,
				events: [{}, { B: 'completed', C: 'completed' }, ALL],
			});
			expect(answers).toEqual([ids.map((id) => `${id} none none`)]);
		}
	});

	test('from the node before it, although that has dropped the request IDs of two forms', async () => {
		const { waits, seen } = await runFlow({
			rows: ['A', 'B'],
			links: ['Thanks', 'Offices'],
			nodes: {
				...REMINDERS.nodes,
				First: WAIT,
				Again: { ...CREATE, templateId: '={{ $json.requestId }}' },
				Thanks: 'email',
			},
			edges: ['Trigger -> Offices -> Create -> First -> Again -> Thanks -> Wait -> Answers'],
			events: [ALL, { A2: 'completed', B2: 'completed' }],
		});
		expect(waits).toEqual(['First awaits A B: done A B', 'Wait awaits A2 B2: done A2 B2']);
		const linked = ['A', 'B'].map((office) => ({ Thanks: 'sent', Offices: office }));
		expect(seen.Answers).toMatchObject([linked]);
	});

	test('40 collection requests with 20 people each', async () => {
		const rows = Array.from({ length: 40 }, (_, index) => `r${index}-`);
		const participant = rows.slice(0, 20).map((row) => ({ email: `${row}@example.com` }));
		const Create = { ...CREATE, participants: { participant }, options: { concurrency: 50 } };
		const answers = await answersOf({
			rows,
			nodes: { ...REMINDERS.nodes, Create },
			events: [Object.fromEntries(rows.map((id) => [id, 'completed']))],
		});
		expect(answers).toEqual([rows.map((id) => `${id} none ${id}`)]);
	});
});

describe('nobody gets the data of another person', () => {
	test.each<[string, Partial<Flow>]>([
		['ends at once', { statuses: { A: 'completed' } }],
		['has waited', { events: [{ A: 'completed' }] }],
	])('a wait that %s, for two people of one collection request', async (_title, flow) => {
		const edges = ['Trigger -> Offices -> Create -> Wait -> Answers'];
		const answers = await answersOf({ rows: ['A'], nodes: FOR_TWO, edges, ...flow });
		expect(answers).toEqual([['A none A']]);
	});

	// The first row has people of A and of B, the second one has somebody of B.
	test.each<[string, Partial<Flow>]>([
		['ends at once', { statuses: { A: 'completed', B: 'completed' } }],
		[
			'has waited',
			{ statuses: { A: 'open', B: 'open' }, events: [{ A: 'completed', B: 'completed' }] },
		],
	])('a wait that %s, for people whose lists were made of mixed rows', async (_title, flow) => {
		const people = { x: ['A', 'A', 'B'], y: ['B'] };
		const participantsJson = `={{ ${JSON.stringify(people)}[$json.row].map((name, i) => ({ name, email: i + "@example.com" })) }}`;
		const answers = await answersOf({
			rows: ['x', 'y'],
			nodes: {
				...REMINDERS.nodes,
				Create: { ...CREATE, participantsMode: 'json', participantsJson },
				Wait: { ...WAIT, which: 'requestId', requestId: '={{ $json.name }}' },
			},
			edges: ['Trigger -> Offices -> Create -> Wait -> Answers'],
			...flow,
		});
		expect(answers).toEqual([['A none none', 'B none none']]);
	});
});

describe('a Wait that fails as a whole: each error item belongs to its own input item', () => {
	test.each([
		['continueRegularOutput', 'Wait'],
		['continueErrorOutput', 'Wait/2'],
	] as const)('On Error: %s', async (onError, output) => {
		const answers = await answersOf({
			nodes: { ...REMINDERS.nodes, Wait: { ...WAIT, options: { numberToWaitFor: '={{ 5 }}' } } },
			edges: ['Trigger -> Offices -> Create -> Email -> Wait', `${output} -> Answers`],
			settings: { Wait: { onError } },
		});
		const message = 'Number to Wait For is 5, but the number of collection requests is 3';
		expect(answers).toEqual([['A', 'B', 'C'].map((id) => `${message} ${id} ${id}`)]);
	});
});
