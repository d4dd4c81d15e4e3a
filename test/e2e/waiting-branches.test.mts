import { randomUUID } from 'node:crypto';
import type { WorkflowNode } from '../../sandbox/n8n/types.mts';
import { outputOf, runsOf } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { rest } from '../support/environment.mts';
import { waits, waitTracker } from '../support/executions.mts';
import { createWaiting, type Wait, type WaitingOptions } from '../support/waiting.mts';
import { node, setNode, splitNode } from '../support/workflows.mts';

// Both outputs of a node lead straight to one Wait: n8n has two entries of it on its stack.

const office = "$('Items').item.json.office";

/** n8n's If node: office A leaves by the first output. */
function splitBy(name: string): WorkflowNode {
	const operator = { type: 'string', operation: 'equals' };
	const condition = { id: randomUUID(), leftValue: `={{ ${office} }}`, rightValue: 'A', operator };
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	const conditions = { combinator: 'and', options, conditions: [condition] };
	return node(name, 'n8n-nodes-base.if', 2.2, { conditions, options: {} });
}

/** A node that fails for all other offices, as an email node does for an address that is refused. */
const failing = (name: string, create: WorkflowNode): WorkflowNode => ({
	...create,
	id: randomUUID(),
	name,
	onError: 'continueErrorOutput',
	parameters: {
		resource: 'collectionRequest',
		operation: 'getGuestLink',
		requestId: `={{ ${office} === 'A' ? $json.requestId : '' }}`,
	},
});

/** Two collection requests, of the offices A and B; their items leave `Between` by one output each. */
async function startBranches(
	name: string,
	{
		between,
		...more
	}: Partial<WaitingOptions> & {
		between: (create: WorkflowNode) => WorkflowNode[];
	},
) {
	const created = await createWaiting({
		name: `E2E branches: ${name}`,
		follow: ({ create, wait }) => {
			const parameters = { ...create.parameters, output: 'collectionRequest' };
			const next = setNode('Next', 'office', `={{ ${office} }}`);
			return [splitNode('body.offices'), { ...create, parameters }, wait, next, ...between(create)];
		},
		...more,
	});
	const executionId = await created.start({ offices: [{ office: 'A' }, { office: 'B' }] });
	const [a, b] = created.requests(executionId) as [Wait, Wait];
	/** Reports both as completed; resolves to the execution. */
	const complete = async () => {
		expect(await b.send(b.delivery())).toBe('200 {"status":"waiting"}');
		expect(await a.send(a.delivery())).toBe('200 {"status":"accepted"}');
		const execution = await a.endsOnce();
		expect(outputOf(execution, 'Next').map((item) => item.office)).toEqual(['A', 'B']);
		return execution;
	};
	return { executionId, complete };
}

const PATHS = ['Webhook -> Items -> Create -> Between -> Wait -> Next', 'Between/1 -> Wait'];

test.each([
	['an If', () => [splitBy('Between')]],
	['a node with an error output', (create: WorkflowNode) => [failing('Between', create)]],
])('both outputs of %s: all leave once when they are completed', async (name, between) => {
	const { complete } = await startBranches(name, { between, paths: PATHS });
	const runs = runsOf(await complete(), 'Wait');
	expect(runs).toMatchObject([[[{ timedOut: false }, { timedOut: false }], []]]);
});

test.each([
	['an If', (_: WorkflowNode, name: string) => splitBy(name)],
	['a node with an error output', (create: WorkflowNode, name: string) => failing(name, create)],
])(
	'both outputs of %s: in rounds of reminders, all leave once each time',
	async (name, made) => {
		const { executionId, complete } = await startBranches(`${name}, in rounds`, {
			between: (create) => ['Between', 'Remind'].map((each) => made(create, each)),
			wait: {
				limitWaitTime: true,
				resumeUnit: 'seconds',
				resumeAmount: '={{ $runIndex < 2 ? 10 : 900 }}',
			},
			paths: [...PATHS, 'Wait/1 -> Remind -> Wait', 'Remind/1 -> Wait'],
		});
		const reminded = async () =>
			runsOf(await rest.getExecution(executionId), 'Remind').length === 2;
		await until('both rounds are over', reminded, waitTracker);
		await waits(executionId);
		const late = [[], [{ timedOut: true }, { timedOut: true }]];
		const done = [[{ timedOut: false }, { timedOut: false }], []];
		expect(runsOf(await complete(), 'Wait')).toMatchObject([late, late, done]);
	},
	240_000,
);
