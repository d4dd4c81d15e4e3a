import { createFor, REMINDERS, runFlow, type Flow } from './support/flow.mts';

// `$('Rows').item` behind a Wait: each item is linked with its own data, or with none. An item of
// Answers is shown as its request ID, then what it is linked with in Create and in Rows.

const { nodes } = REMINDERS;
const ALL = { A: 'completed', B: 'completed', C: 'completed' };
const EVENTS: Flow['events'] = [{ A: 'completed' }, { B: 'completed', C: 'completed' }];
const WITHOUT_REMINDERS = ['Trigger -> Rows -> Create -> Wait -> Answers'];

test.each<[string, Partial<Flow>, string[]]>([
	[
		'it ends at once, behind one email for all',
		{ settings: { Email: { executeOnce: true } }, statuses: ALL },
		['A A A', 'B B B', 'C C C'],
	],
	[
		'it ends at once, behind one item for all: n8n links that one with the first',
		{ nodes: { ...nodes, Create: createFor(2), Email: 'code' }, statuses: ALL },
		['A A A', 'B none none', 'C none none'],
	],
	[
		'it ends at once, after a round in which only one person was reminded',
		{
			onRun: (name, statuses) => {
				if (name === 'Email') Object.assign(statuses, { A: 'completed', B: 'completed' });
				if (name === 'Remind') statuses.C = 'completed';
			},
		},
		['A A A', 'B B B', 'C C C'],
	],
	[
		'it ends at once, because all complete between two rounds',
		{
			nodes: { ...nodes, Create: createFor(2), People: 'code' },
			onRun: (name, statuses) => void (name === 'People' && Object.assign(statuses, ALL)),
		},
		['A none A', 'B none B', 'C none C'],
	],
	[
		'from the nearest node that has one item for each',
		{
			nodes: {
				...nodes,
				Create: { ...createFor(2), output: 'collectionRequest' },
				All: { operation: 'getParticipants' },
			},
			edges: [
				'Trigger -> Rows -> Create -> All -> Email -> Wait -> Answers',
				'Wait/1 -> Remind -> Wait',
			],
			events: EVENTS,
		},
		['A A A', 'B B B', 'C C C'],
	],
	[
		'through what timed out in the last round, if nothing else fits',
		{
			nodes: { ...nodes, Create: createFor(2) },
			edges: [...WITHOUT_REMINDERS, 'Wait/1 -> Remind -> Wait'],
			events: EVENTS,
		},
		['A none A', 'B none B', 'C none C'],
	],
	[
		'in the order of creation, whatever order the items have got since then',
		{
			rows: ['a', 'B'],
			edges: ['Trigger -> Rows -> Create -> If -> Merge -> Wait -> Answers', 'If/1 -> 1/Merge'],
			events: [{ a: 'completed', B: 'completed' }],
		},
		['a a a', 'B B B'],
	],
	[
		'with nobody, behind one item for all',
		{ nodes: { ...nodes, Create: createFor(2), Email: 'code' }, events: EVENTS },
		['A none none', 'B none none', 'C none none'],
	],
	[
		'with nobody, if not all come out',
		{
			nodes: { ...nodes, Wait: { ...nodes.Wait, options: { numberToWaitFor: 2 } } },
			events: [{}, { B: 'completed', C: 'completed' }],
		},
		['B none none', 'C none none'],
	],
	[
		'two people of one collection request, of whom neither gets the data of the other: at once',
		{
			rows: ['A'],
			nodes: { ...nodes, Create: createFor(2) },
			edges: WITHOUT_REMINDERS,
			statuses: ALL,
		},
		['A none A'],
	],
	[
		'the same by a notification',
		{
			rows: ['A'],
			nodes: { ...nodes, Create: createFor(2) },
			edges: WITHOUT_REMINDERS,
			events: [ALL],
		},
		['A none A'],
	],
])('each item is linked with its own data, or with none: %s', async (_title, flow, answers) => {
	const { error, seen } = await runFlow({ ...REMINDERS, ...flow });
	expect([error, seen.Answers]).toEqual([undefined, [answers]]);
});

test('each item is linked with its own data, although the node before Wait has dropped the request IDs of two forms', async () => {
	const { waits, seen } = await runFlow({
		rows: ['A', 'B'],
		links: ['Thanks', 'Rows'],
		nodes: {
			...nodes,
			First: nodes.Wait,
			Again: { ...createFor(1), templateId: '={{ $json.requestId }}' },
		},
		edges: ['Trigger -> Rows -> Create -> First -> Again -> Thanks -> Wait -> Answers'],
		events: [ALL, { A2: 'completed', B2: 'completed' }],
	});
	expect(waits).toEqual(['First awaits A B: done A B', 'Wait awaits A2 B2: done A2 B2']);
	expect(seen.Answers).toEqual([['A2 sent A', 'B2 sent B']]);
});

// Each row has people of the collection requests that it names.
const MIXED = { x: ['A', 'A', 'B'], y: ['B'] };
test.each<[string, Record<string, string[]>, string[], Partial<Flow>]>([
	['at once', MIXED, ['A', 'B'], { statuses: { A: 'completed', B: 'completed' } }],
	[
		'by a notification',
		MIXED,
		['A', 'B'],
		{ statuses: { A: 'open', B: 'open' }, events: [{ A: 'completed', B: 'completed' }] },
	],
	[
		'whichever of its requests a row names last',
		{ x: ['B', 'A', 'A'], y: ['B'] },
		['B', 'A'],
		{ statuses: { A: 'completed', B: 'completed' } },
	],
])('with nobody, for people whose lists were made of mixed rows: %s', async (...given) => {
	const [, people, ids, flow] = given;
	const participantsJson = `={{ ${JSON.stringify(people)}[$json.row].map((name, i) => ({ name, email: i + "@example.com" })) }}`;
	const { seen } = await runFlow({
		rows: ['x', 'y'],
		links: ['Create', 'Rows'],
		nodes: {
			Create: { ...createFor(1), participantsMode: 'json', participantsJson },
			Wait: { ...nodes.Wait, which: 'requestId', requestId: '={{ $json.name }}' },
		},
		edges: WITHOUT_REMINDERS,
		...flow,
	});
	expect(seen.Answers).toEqual([ids.map((id) => `${id} none none`)]);
});

test.each([
	['continueRegularOutput', 'Wait'],
	['continueErrorOutput', 'Wait/2'],
] as const)(
	'of a Wait that fails as a whole, each error belongs to its own input item: %s',
	async (onError, output) => {
		const { seen } = await runFlow({
			...REMINDERS,
			nodes: { ...nodes, Wait: { ...nodes.Wait, options: { numberToWaitFor: '={{ 5 }}' } } },
			edges: ['Trigger -> Rows -> Create -> Email -> Wait', `${output} -> Answers`],
			settings: { Wait: { onError } },
		});
		const error = 'Number to Wait For is 5, but the number of collection requests is 3';
		expect(seen.Answers).toEqual([[`${error} A A`, `${error} B B`, `${error} C C`]]);
	},
);
