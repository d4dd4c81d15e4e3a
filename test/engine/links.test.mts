import { newExecution } from './support/engine.mts';
import { runFlow, type Flow } from './support/flow.mts';
import { CREATE, CREATE_FOR_TWO, REMINDERS, shown, WAIT } from './support/reminders.mts';
import { useVirtualTime } from './support/virtualTime.mts';

useVirtualTime();

const COMPLETED = { A: 'completed', B: 'completed', C: 'completed' };

const play = async (flow: Partial<Flow>) =>
	await runFlow({ rows: ['A', 'B', 'C'], links: ['Create', 'Offices'], ...REMINDERS, ...flow });

describe('a wait that ends at once links each with its own data', () => {
	test('when one email was sent for all', async () => {
		const settings = { Email: { executeOnce: true } };
		const { error, seen } = await play({ settings, statuses: COMPLETED });
		expect(error).toBeUndefined();
		expect(shown(seen.Answers)).toEqual([['A A A', 'B B B', 'C C C']]);
	});

	test('or with nobody, if no node before it has one item for each', async () => {
		const { error, seen } = await play({
			nodes: { ...REMINDERS.nodes, Create: CREATE_FOR_TWO, Email: 'code' },
			statuses: COMPLETED,
		});
		expect(error).toBeUndefined();
		// n8n links the one item of the code node with the first of all that it got.
		expect(shown(seen.Answers)).toEqual([['A A A', 'B none none', 'C none none']]);
	});

	test.each(['trigger', 'manual'] as const)(
		'when only one person was reminded and completes before it (%s)',
		async (mode) => {
			const { error, seen } = await play({
				execution: { ...newExecution(), mode },
				onRun: (name, statuses) => {
					if (name === 'Email') Object.assign(statuses, { A: 'completed', B: 'completed' });
					if (name === 'Remind') statuses.C = 'completed';
				},
			});
			expect(error).toBeUndefined();
			expect(shown(seen.Remind)).toEqual([['C C C']]);
			expect(shown(seen.Answers)).toEqual([['A A A', 'B B B', 'C C C']]);
		},
	);
});

describe('a wait that has waited links each with its own data', () => {
	const events: Array<Record<string, string>> = [
		{ A: 'completed' },
		{ B: 'completed', C: 'completed' },
	];

	test('from the nearest node that has one item for each', async () => {
		const { seen } = await play({
			nodes: {
				...REMINDERS.nodes,
				Create: { ...CREATE_FOR_TWO, output: 'collectionRequest' },
				All: { operation: 'getParticipants' },
			},
			edges: [
				...REMINDERS.edges.filter((edge) => edge !== 'Create -> Email'),
				'Create -> All',
				'All -> Email',
			],
			events,
		});
		expect(shown(seen.Answers)).toEqual([['A A A', 'B B B', 'C C C']]);
	});

	test('through what timed out in the last round, if nothing else fits', async () => {
		const edges = [
			...REMINDERS.edges.filter((edge) => !edge.includes('People')),
			'Wait/1 -> Remind',
		];
		const nodes = { ...REMINDERS.nodes, Create: CREATE_FOR_TWO };
		const { waits, seen } = await play({ nodes, edges, events });
		expect(waits.at(-1)).toBe('Wait awaits A B C: done A B C');
		expect(shown(seen.Answers)).toEqual([['A none A', 'B none B', 'C none C']]);
	});

	test('from the node before it, although that has dropped the request IDs of two forms', async () => {
		const { waits, seen } = await play({
			rows: ['A', 'B'],
			links: ['Thanks', 'Offices'],
			nodes: {
				Trigger: 'trigger',
				Offices: 'rows',
				Create: CREATE,
				First: WAIT,
				Again: { ...CREATE, templateId: '={{ $json.requestId }}' },
				Thanks: 'email',
				Wait: WAIT,
				Answers: 'email',
			},
			edges: [
				'Trigger -> Offices',
				'Offices -> Create',
				'Create -> First',
				'First -> Again',
				'Again -> Thanks',
				'Thanks -> Wait',
				'Wait -> Answers',
			],
			statuses: { A: 'completed', B: 'completed' },
			events: [{ A2: 'completed', B2: 'completed' }],
		});
		expect(waits).toEqual(['Wait awaits A2 B2: done A2 B2']);
		expect(seen.Answers).toMatchObject([
			[
				{ Thanks: 'sent', Offices: 'A' },
				{ Thanks: 'sent', Offices: 'B' },
			],
		]);
	});
});

describe('a Wait that fails as a whole: each error item belongs to its own input item', () => {
	const nodes = {
		...REMINDERS.nodes,
		Wait: { ...WAIT, options: { numberToWaitFor: 5 } },
		Failed: 'email' as const,
	};
	const edges = [...REMINDERS.edges, 'Wait/2 -> Failed'];
	const message = 'Number to Wait For is 5, but the number of collection requests is 3';

	test.each([
		['continueRegularOutput', 'Answers'],
		['continueErrorOutput', 'Failed'],
	] as const)('On Error: %s', async (onError, output) => {
		const { seen } = await play({ nodes, edges, settings: { Wait: { onError } } });
		expect(shown(seen[output])).toEqual([['A', 'B', 'C'].map((id) => `${message} ${id} ${id}`)]);
	});
});
