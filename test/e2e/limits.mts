import { randomUUID } from 'node:crypto';
import type { WorkflowNode } from '../../sandbox/n8n/types.mts';
import { outputOf, runsOf } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { rest, service } from '../support/environment.mts';
import { waits, waitTracker } from '../support/executions.mts';
import { createWaiting, type Wait, type WaitingOptions } from '../support/waiting.mts';
import { node, setNode, splitNode } from '../support/workflows.mts';

// What waits for time limits, which takes little more time all at once: see examples.test.mts.

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

/**
 * Two collection requests, of the offices A and B; their items leave `Between` by one output each, and
 * both outputs lead straight to one Wait: n8n has two entries of it on its stack.
 */
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
		expect(await b.send(b.delivery())).toBe('200 waiting');
		expect(await a.send(a.delivery())).toBe('200 accepted');
		const execution = await a.endsOnce();
		expect(outputOf(execution, 'Next').map((item) => item.office)).toEqual(['A', 'B']);
		return execution;
	};
	return { executionId, complete };
}

const PATHS = ['Webhook -> Items -> Create -> Between -> Wait -> Next', 'Between/1 -> Wait'];

const ENDS: Array<[string, (name: string, create: WorkflowNode) => WorkflowNode]> = [
	['an If', splitBy],
	['a node with an error output', failing],
];
type Between = (typeof ENDS)[0][1];

/** All leave once when they are completed. */
const onceDone = (name: string, between: Between) => async () => {
	const { complete } = await startBranches(name, {
		between: (create) => [between('Between', create)],
		paths: PATHS,
	});
	const runs = runsOf(await complete(), 'Wait');
	expect(runs).toMatchObject([[[{ timedOut: false }, { timedOut: false }], []]]);
};

/** In rounds of reminders, all leave once each time. */
const onceEachRound = (name: string, between: Between) => async () => {
	const { executionId, complete } = await startBranches(`${name}, in rounds`, {
		between: (create) => ['Between', 'Remind'].map((each) => between(each, create)),
		wait: {
			limitWaitTime: true,
			resumeUnit: 'seconds',
			resumeAmount: '={{ $runIndex < 2 ? 10 : 900 }}',
		},
		paths: [...PATHS, 'Wait/1 -> Remind -> Wait', 'Remind/1 -> Wait'],
	});
	const reminded = async () => runsOf(await rest.getExecution(executionId), 'Remind').length === 2;
	await until('both rounds are over', reminded, waitTracker);
	await waits(executionId);
	const late = [[], [{ timedOut: true }, { timedOut: true }]];
	const done = [[{ timedOut: false }, { timedOut: false }], []];
	expect(runsOf(await complete(), 'Wait')).toMatchObject([late, late, done]);
};

/** Back in Wait after its limit, what has been completed leaves by Done with its own data. */
export const backInWait = async () => {
	const created = await createWaiting({
		name: 'E2E waiting: limit',
		wait: {
			limitWaitTime: true,
			resumeUnit: 'seconds',
			resumeAmount: '={{ $runIndex === 0 ? 10 : 900 }}',
		},
		follow: ({ create, wait }) => [
			splitNode('body.offices'),
			create,
			wait,
			setNode('Next', 'office', "={{ $('Items').item.json.office }}"),
			setNode('Reminder', 'reminded', "={{ $('Items').item.json.office }}"),
		],
		paths: ['Webhook -> Items -> Create -> Wait -> Next', 'Wait/1 -> Reminder -> Wait'],
	});
	const executionId = await created.start({ offices: [{ office: 'A' }, { office: 'B' }] });
	const [a, b] = created.requests(executionId) as [Wait, Wait];
	service.complete(a.requestId);
	expect(await a.answered('completed')).toBe('200 waiting');
	const isBack = async () => runsOf(await rest.getExecution(executionId), 'Reminder').length > 0;
	await until('it has timed out', isBack, waitTracker);
	await waits(executionId);
	service.complete(b.requestId);
	const execution = await a.endsOnce();
	const [first, second] = runsOf(execution, 'Wait');
	const timedOut = ({ requestId, guestLink }: Wait) => ({ requestId, guestLink, timedOut: true });
	expect(first).toStrictEqual([[], [timedOut(a), timedOut(b)]]);
	expect(outputOf(execution, 'Reminder').map(({ reminded }) => reminded)).toEqual(['A', 'B']);
	expect(second).toMatchObject([
		[
			{ requestId: a.requestId, timedOut: false, notification: null },
			{ requestId: b.requestId, timedOut: false, notification: { requestId: b.requestId } },
		],
		[],
	]);
	expect(outputOf(execution, 'Next').map(({ office }) => office)).toEqual(['A', 'B']);
	expect(await a.send(a.delivery())).toMatch(/^409 /);
	await a.endsOnce();
};

/** By what they show. */
export const limits = Object.fromEntries([
	[
		"a limit leads all by Time's Up; back in Wait, they leave by Done with their own data",
		backInWait,
	],
	...ENDS.flatMap(([name, between]) => [
		[`both outputs of ${name}: all leave once when they are completed`, onceDone(name, between)],
		[
			`both outputs of ${name}: in rounds of reminders, all leave once each time`,
			onceEachRound(name, between),
		],
	]),
]) as Record<string, () => Promise<void>>;
