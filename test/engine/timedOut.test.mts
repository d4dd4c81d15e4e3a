import type { INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { action, runAction, type ActionRun } from './support/engine.mts';
import { having } from './support/faultServer.mts';
import { CREATE, runFlow, WAIT, type Flow } from './support/flow.mts';
import { READ } from './support/operations.mts';
import { nodeOf, workflowOf } from './support/workflow.mts';

/** The names of the node's outputs on the canvas, as n8n works them out; `main` has none. */
function outputsOf(parameters: INodeParameters): string[] {
	const node = nodeOf(action, { resource: 'collectionRequest', ...parameters });
	const workflow = workflowOf([action], [node]);
	return NodeHelpers.getNodeOutputs(workflow, node, action.description).map((output) =>
		typeof output === 'string' ? output : String(output.displayName),
	);
}

test.each<[INodeParameters, string[]]>([
	[{ operation: 'wait' }, ['Done', 'Timed Out: All']],
	[{ operation: 'checkStatus' }, ['Completed', 'Not Completed']],
	[{ operation: 'checkStatus', checkFor: 'open' }, ['Open or Completed', 'Neither']],
	[{ operation: 'checkStatus', checkFor: 'statuses' }, ['Reached', 'Not Reached']],
	[{ operation: 'getPeopleToRemind' }, ['To Remind', 'Completed']],
	[{ operation: 'getParticipants' }, ['main']],
	[{ operation: 'get' }, ['main']],
	[{ operation: 'create' }, ['main']],
	[{ resource: 'share', operation: 'getAnswers' }, ['main']],
	// Of a newer version of this package.
	[{ operation: 'archive' }, ['main']],
])('%j has the outputs %j', (parameters, outputs) => {
	expect(outputsOf(parameters)).toEqual(outputs);
});

describe('a limit whose Timed Out nobody reads', () => {
	const hint = containing('Lead Timed Out to Check Status, or to Get People to Remind');

	/** The hints of a wait for one collection request, in a workflow that ends with these edges. */
	async function hintsOf({ edges, nodes: more, settings }: Pick<Flow, 'edges'> & Partial<Flow>) {
		const { hintsOf: hints } = await runFlow({
			rows: ['A'],
			statuses: { A: 'completed' },
			nodes: {
				Trigger: 'trigger',
				Offices: 'rows',
				Create: CREATE,
				Wait: WAIT,
				Check: { operation: 'checkStatus' },
				Email: 'email',
				...more,
			},
			edges: ['Trigger -> Offices -> Create -> Wait', ...edges],
			settings,
		});
		return hints('Wait').map(({ message }) => message);
	}

	test.each<[string, Parameters<typeof hintsOf>[0]]>([
		['leads nowhere', { edges: [] }],
		['leads nowhere, though Done is checked', { edges: ['Wait -> Check'] }],
		['leads to an email', { edges: ['Wait/1 -> Email', 'Wait -> Check'] }],
		[
			'leads to a node that is off',
			{ edges: ['Wait/1 -> Check'], settings: { Check: { disabled: true } } },
		],
		[
			'leads to Get Participants',
			{ edges: ['Wait/1 -> People'], nodes: { People: { operation: 'getParticipants' } } },
		],
		[
			'leads to Get Answers',
			{
				edges: ['Wait/1 -> Answers'],
				nodes: { Answers: { resource: 'share', operation: 'getAnswers' } },
			},
		],
	])('%s: a hint before it waits', async (_title, flow) => {
		expect(await hintsOf(flow)).toEqual([hint]);
	});

	test.each<[string, Parameters<typeof hintsOf>[0]]>([
		['is checked', { edges: ['Wait/1 -> Check'] }],
		['is checked behind an email', { edges: ['Wait/1 -> Email -> Check'] }],
		[
			'is checked behind what Done leads to, too',
			{ edges: ['Wait -> Email -> Check', 'Wait/1 -> Email'] },
		],
		['goes back to the wait', { edges: ['Wait/1 -> Email -> Wait'] }],
		['goes back to the wait at once', { edges: ['Wait/1 -> Wait'] }],
		[
			'leads to reminders',
			{ edges: ['Wait/1 -> People'], nodes: { People: { operation: 'getPeopleToRemind' } } },
		],
		['is read', { edges: ['Wait/1 -> Get'], nodes: { Get: { operation: 'get' } } }],
		['is not used: there is no limit', { edges: [], nodes: { Wait: { operation: 'wait' } } }],
	])('no hint if it %s', async (_title, flow) => {
		expect(await hintsOf(flow)).toEqual([]);
	});
});

test('a limit that is over already is a hint, beside what leaves by Timed Out', async () => {
	const { itemsOf, hintsOf, waits } = await runFlow({
		rows: ['A'],
		nodes: {
			Trigger: 'trigger',
			Offices: 'rows',
			Create: CREATE,
			Wait: { ...WAIT, limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-31T09:00:00' },
			Check: { operation: 'checkStatus' },
		},
		edges: ['Trigger -> Offices -> Create -> Wait', 'Wait/1 -> Check'],
	});
	expect(hintsOf('Wait')).toMatchObject([
		{ message: containing('Max Date and Time is over already') },
	]);
	expect([itemsOf('Wait', 1), waits]).toMatchObject([[[{ requestId: 'A' }]], []]);
});

test('after a wait with a limit, its output pane says what Timed Out has', () => {
	const after = action.description.hints?.filter((one) => one.whenToDisplay === 'afterExecution');
	const [hint, ...more] = after ?? [];
	expect([hint?.location, more]).toEqual(['outputPane', []]);
	const isShown = (parameters: INodeParameters) => {
		const node = nodeOf(action, { resource: 'collectionRequest', ...parameters });
		const { expression } = workflowOf([action], [node]);
		const condition = hint?.displayCondition ?? '';
		return expression.getParameterValue(condition, null, 0, 0, node.name, [], 'manual', {});
	};
	expect([WAIT, { operation: 'wait' }, { operation: 'get' }].map(isShown)).toEqual([
		true,
		false,
		false,
	]);
});

test('behind Check Status, the answers of what is completed at the limit can be collected', async () => {
	const { itemsOf, waits } = await runFlow({
		rows: ['A', 'B', 'C'],
		nodes: {
			Trigger: 'trigger',
			Offices: 'rows',
			Create: CREATE,
			Wait: WAIT,
			Check: { operation: 'checkStatus' },
		},
		edges: ['Trigger -> Offices -> Create -> Wait', 'Wait/1 -> Check'],
		// Reported, but one is still missing.
		events: [{ A: 'completed', C: 'completed' }],
	});
	expect(waits).toEqual(['Wait awaits A B C: timed out']);
	const idsOf = (output: number) => itemsOf('Check', output)[0]?.map(({ requestId }) => requestId);
	expect([idsOf(0), idsOf(1)]).toEqual([['A', 'C'], ['B']]);
});

describe('Get Answers at Timed Out', () => {
	/** Two collection requests with a share, one without, and one that is deleted. */
	const answer = having({
		'collection-request/a': { _id: 'a', shareId: 's1' },
		'collection-request/b': { _id: 'b' },
		'collection-request/c': { _id: 'c', shareId: 's2' },
		'share/s1': { _id: 's1', status: 'completed', otherFields: [{ label: 'Size', value: 'M' }] },
		'share/s2': { _id: 's2', status: 'open', otherFields: [{ label: 'Size', value: 'L' }] },
	});
	const get = async (ids: string[], operation = 'getAnswers', more: Partial<ActionRun> = {}) =>
		await runAction({
			answer,
			input: ids.map((requestId) => ({ requestId, timedOut: true })),
			...more,
			parameters: { ...READ, resource: 'share', operation, requestId: '={{ $json.requestId }}' },
		});
	const advice = containing('Put Check Status before this node');

	test('reads the answers that are there, and a hint names the others and Check Status', async () => {
		const { items, hints } = await get(['b', 'a', 'gone', 'c']);
		const shown = items.map(({ json: { value }, pairedItem }) => [value, pairedItem]);
		expect(shown).toEqual([
			['M', { item: 1 }],
			['L', { item: 3 }],
		]);
		const named = containing(
			'No answers of collection request b, collection request gone: 2 of 4 have no share yet, or are deleted. ',
		);
		const messages = hints.map(({ message }) => message);
		expect(messages).toEqual([containing('still open'), named]);
		expect(messages[1]).toEqual(advice);
	});

	test('fails, and names Check Status, if there are none at all', async () => {
		const { error } = await get(['b', 'gone']);
		expect(error).toMatchObject({
			message: 'There are no answers to read: 2 of 2 have no share yet, or are deleted',
			description: advice,
		});
	});

	test('fails if the service is down, since then nobody knows what is there', async () => {
		const { error } = await get(['a'], 'getAnswers', {
			answer: (response) => response.writeHead(503).end(),
		});
		expect(error?.message).toContain('temporarily unavailable');
	});

	test.each(['get', 'getHistory'])('so does Share: %s', async (operation) => {
		const { error } = await get(['b'], operation);
		expect(error?.description).toEqual(advice);
	});

	test('what did not time out is expected to be there', async () => {
		const input = [{ requestId: 'a', timedOut: false }, { requestId: 'b' }];
		const { error } = await get([], 'getAnswers', { input });
		expect(error).toMatchObject({
			message: 'The collection request "b" has no share yet',
			description: containing('connect this node with Done of a Wait'),
		});
	});
});

test.each([true, false])(
	'Get Participants says who is listed, if timedOut is %s',
	async (timedOut) => {
		const { json, hints } = await runAction({
			answer: having({
				'collection-request/a': { _id: 'a', participantList: [{ email: 'ada@example.com' }] },
			}),
			input: [{ requestId: 'a', timedOut }],
			parameters: { ...READ, operation: 'getParticipants', requestId: '={{ $json.requestId }}' },
		});
		const hint = { message: containing('use Get People to Remind') };
		expect([json, hints]).toMatchObject([[{ email: 'ada@example.com' }], timedOut ? [hint] : []]);
	},
);
