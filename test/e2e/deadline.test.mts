import { randomUUID } from 'node:crypto';
import { outputOf, runsOf, type Json, type WorkflowNode } from '../../sandbox/n8n/types.mts';
import { waitTracker } from '../support/executions.mts';
import { bothAnswer } from '../support/sandboxService.mts';
import { createWaiting, nextName, waitingName } from '../support/waiting.mts';
import { setNode, splitNode } from '../support/workflows.mts';

const offices = Array.from({ length: 10 }, (_, index) => `Office ${index}`);

/** Another operation of the same node. */
const as = (name: string, node: WorkflowNode, parameters: Json): WorkflowNode => ({
	...node,
	id: randomUUID(),
	name,
	parameters: { options: {}, ...parameters },
});

test('ten are asked, three answer in time: three answers are collected, and seven are named', async () => {
	const created = await createWaiting({
		name: 'E2E deadline',
		wait: { limitWaitTime: true, resumeUnit: 'seconds', resumeAmount: 20 },
		follow: ({ create, wait, next }) => [
			splitNode('body.offices'),
			create,
			wait,
			as('Check', create, { resource: 'collectionRequest', operation: 'checkStatus' }),
			as('Answers', create, { resource: 'share', operation: 'getAnswers', output: 'columns' }),
			next,
			setNode('Missing', 'office', "={{ $('Items').item.json.office }}"),
		],
		paths: [
			'Webhook -> Items -> Create -> Wait',
			'Wait/1 -> Check -> Answers -> Next',
			'Check/1 -> Missing',
		],
	});
	const executionId = await created.start({ offices: offices.map((office) => ({ office })) });
	const asked = await created.requests(executionId);
	expect(asked).toHaveLength(10);
	const completed = [2, 5, 7].map((index) => asked[index]);
	for (const [index, one] of completed.entries()) await bothAnswer(one?.guestLink, `${index} `);

	const execution = await (asked[0] as (typeof asked)[0]).endsOnce(waitTracker);
	const idsOf = (items: Json[] = []) => items.map(({ requestId }) => requestId);
	const all = asked.map(({ requestId }) => requestId);
	const done = completed.map((one) => one?.requestId);
	const missing = all.filter((requestId) => !done.includes(requestId));
	expect(runsOf(execution, waitingName).map((outputs) => outputs.map(idsOf))).toEqual([[[], all]]);
	expect(runsOf(execution, 'Check').map((outputs) => outputs.map(idsOf))).toEqual([
		[done, missing],
	]);
	const answers = outputOf(execution, nextName);
	expect(answers.map((answer) => [answer['Delivery address'], answer.requestId])).toEqual(
		done.map((requestId, index) => [`${index} Ada Example`, requestId]),
	);
	expect(outputOf(execution, 'Missing').map(({ office }) => office)).toEqual(
		offices.filter((_, index) => missing.includes(all[index] ?? '')),
	);
});
