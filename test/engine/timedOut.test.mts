import type { INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { action, runAction } from './support/engine.mts';
import { having, json } from './support/faultServer.mts';
import { nodeOf, workflowOf } from './support/workflow.mts';

// What leaves by Time's Up, unread, and what the nodes behind it make of that.

/** A node with these parameters, alone in a workflow. */
function alone(parameters: INodeParameters) {
	const node = nodeOf(action, { resource: 'collectionRequest', ...parameters });
	return { node, workflow: workflowOf([action], [node]) };
}

test.each<[INodeParameters, string[]]>([
	[{ operation: 'wait' }, ['Done', "Time's Up"]],
	[{ operation: 'checkStatus' }, ['Completed', 'Not Completed']],
	[{ operation: 'checkStatus', checkFor: 'open' }, ['Open or Completed', 'Neither']],
	[{ operation: 'checkStatus', checkFor: 'statuses' }, ['Reached', 'Not Reached']],
	[{ operation: 'getPeopleToRemind' }, ['To Remind', 'Completed']],
	[{ operation: 'create' }, ['main']],
	// Of a newer version of this package.
	[{ operation: 'archive' }, ['main']],
])('on the canvas, %j has the outputs %j', (parameters, names) => {
	const { node, workflow } = alone(parameters);
	const outputs = NodeHelpers.getNodeOutputs(workflow, node, action.description);
	expect(
		outputs.map((output) => (typeof output === 'string' ? output : output.displayName)),
	).toEqual(names);
});

describe("behind Time's Up", () => {
	const TIMED_OUT = { timedOut: true };

	/**
	 * Runs an operation for items of Time's Up with these IDs: two have a share, `b` has none yet.
	 * `first`: the fields of the first item, if they are others.
	 */
	const run = async (
		ids: string[],
		parameters: INodeParameters,
		fields: object = TIMED_OUT,
		first = fields,
	) =>
		await runAction({
			answer: having({
				'collection-request/a': { _id: 'a', shareId: 's1', participantList: [{ name: 'Ada' }] },
				'collection-request/b': { _id: 'b' },
				'collection-request/c': { _id: 'c', shareId: 's2' },
				'share/s1': {
					_id: 's1',
					status: 'completed',
					otherFields: [{ label: 'Size', value: 'M' }],
				},
				'share/s2': { _id: 's2', status: 'open', otherFields: [{ label: 'Size', value: 'L' }] },
			}),
			input: ids.map((requestId, index) => ({ requestId, ...(index === 0 ? first : fields) })),
			parameters: { requestId: '={{ $json.requestId }}', ...parameters },
		});
	const advice = containing('Put Check Status before this node');

	test('Get Answers reads what is there, and a hint names the others', async () => {
		const getAnswers = { resource: 'share', operation: 'getAnswers', output: 'answers' };
		const { items, hints } = await run(['b', 'a', 'gone', 'c'], getAnswers);
		expect(items).toMatchObject([
			{ json: { value: 'M' }, pairedItem: { item: 1 } },
			{ json: { value: 'L' }, pairedItem: { item: 3 } },
		]);
		const named =
			'2 of 4 items could not be read. They are left out: The collection request "b" has no share yet and The service does not know the collection request "gone" (HTTP 404).';
		expect(hints).toMatchObject([{ message: named }]);
	});

	test.each(['getAnswers', 'get', 'getHistory'])(
		'Share: %s fails if nothing is there, and names Check Status',
		async (operation) => {
			const { error } = await run(['b', 'gone'], { resource: 'share', operation });
			const message = 'The collection request "b" has no share yet';
			expect(error).toMatchObject({ message, description: advice });
		},
	);

	test('of what Check Status has found not completed, Get Answers reads what is there', async () => {
		const getAnswers = { resource: 'share', operation: 'getAnswers', output: 'answers' };
		const { json: answers, hints } = await run(['a', 'b'], getAnswers, { isReached: false });
		expect(answers).toMatchObject([{ value: 'M' }]);
		const named = containing('left out: The collection request "b" has no share yet.');
		expect(hints).toMatchObject([{ message: named }]);
	});

	test.each([
		['alone', {}],
		["behind one of Time's Up", TIMED_OUT],
	])('of other items, each is expected to have a share: %s', async (_title, first) => {
		const getAnswers = { resource: 'share', operation: 'getAnswers' };
		const { error } = await run(['a', 'b'], getAnswers, {}, first);
		expect(error).toMatchObject({
			message: 'The collection request "b" has no share yet',
			description: containing('connect this node with Done of a Wait'),
		});
	});

	test('Get Answers fails if the service is down: nobody knows what is there', async () => {
		const { error } = await runAction({
			answer: json(503, {}),
			input: [{ requestId: 'a', timedOut: true }],
			parameters: { resource: 'share', operation: 'getAnswers', requestId: 'a' },
		});
		expect(error?.message).toContain('temporarily unavailable');
	});
});
