import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { outputOf, type Execution, type Json } from '../../sandbox/n8n/types.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { countExecutions } from '../support/executions.mts';
import { assertBegins } from '../support/items.mts';
import { complete } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { createName, createWaiting, nextName, runsOfNext } from '../support/waiting.mts';
import { waitingName, type Wait, type WaitingWorkflow } from '../support/waiting.mts';
import { node, setNode } from '../support/workflows.mts';

/** n8n looks for waits that are over only once a minute. */
const waitTracker = 150_000;
const limit = { limitWaitTime: true, resumeAmount: 2, resumeUnit: 'seconds' };
const decideName = 'Timed Out?';

/** n8n's If node: its first output is for what has timed out. */
const decideNode = () =>
	node(decideName, 'n8n-nodes-base.if', 2.2, {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			conditions: [
				{
					...{ id: randomUUID(), leftValue: '={{ $json.timedOut }}', rightValue: '' },
					operator: { type: 'boolean', operation: 'true', singleValue: true },
				},
			],
			combinator: 'and',
		},
		options: {},
	});

const to = (name: string) => [{ node: name, type: 'main', index: 0 }];

describe('Wait with a limit', () => {
	const rest = openRest();
	const create = async (name: string, wait: Json, more: Json = {}) => {
		const options = { rest, n8nUrl, name: `E2E waiting: ${name}`, wait, ...more };
		const created = await createWaiting(options);
		return { created, wait: await created.startWaiting() };
	};
	/** All of them begin before the first is looked at: n8n takes up to a minute for each round. */
	let interval: { created: WaitingWorkflow; wait: Wait };
	let date: typeof interval;
	let loop: typeof interval;
	beforeAll(async () => {
		interval = await create('limit', limit);
		date = await create('limit at a date', {
			...{ limitWaitTime: true, limitType: 'atSpecifiedTime' },
			maxDateAndTime: new Date(Date.now() + 3_000).toISOString(),
		});
		// The third round must not end before its notification comes.
		const firstRounds = '={{ $runIndex < 2 ? 2 : 600 }}';
		loop = await create(
			'loop',
			{ ...limit, resumeAmount: firstRounds },
			{
				follow: ({ create: made, wait }: WaitingWorkflow) => [
					made,
					wait,
					decideNode(),
					setNode(nextName, 'seen', `={{ $('${createName}').item.json.requestId }}`),
				],
				connections: { [decideName]: { main: [to(waitingName), to(nextName)] } },
			},
		);
	});

	const assertTimedOut = async (
		{ created, wait }: typeof interval,
		execution: Execution,
	): Promise<void> => {
		assert.equal(execution.status, 'success');
		const [item = {}, ...more] = outputOf(execution, waitingName);
		assert.equal(more.length, 0);
		assertBegins(item, wait.requestId, wait.guestLink);
		assert.deepEqual(item, { ...outputOf(execution, createName)[0], timedOut: true });
		assert.equal(runsOfNext(execution), 1);
		assert.equal(outputOf(execution, nextName)[0]?.seen, wait.requestId);
		const late = await wait.send(wait.delivery());
		assert.equal(late.status, 409, late.text);
		assert.equal(await countExecutions(rest, created.workflow.id), 1);
	};

	test('after a time: the item of Create, and timedOut', async () => {
		const execution = await interval.wait.end(waitTracker);
		await assertTimedOut(interval, execution);
	});

	test('at a date', async () => {
		await assertTimedOut(date, await date.wait.end(waitTracker));
	});

	test('led back to Wait: it waits again, and the notification of a later round ends it', async () => {
		const { created, wait } = loop;
		await until(
			'it waits for the third time',
			async () => {
				if ((await wait.status()) !== 'waiting') return undefined;
				const { data } = await rest.getExecution(wait.executionId);
				const runs = data.resultData.runData[waitingName]?.length ?? 0;
				return runs === 3 ? true : undefined;
			},
			2 * waitTracker,
		);
		await complete(wait.requestId);
		assert.equal((await wait.answered('completed')).answer, '{"status":"accepted"}');
		const execution = await wait.end();
		assert.equal(execution.status, 'success');
		const runs = execution.data.resultData.runData[waitingName] ?? [];
		const outcomes = runs.map(({ data }) => data?.main?.[0]?.map(({ json }) => json.timedOut));
		assert.deepEqual(outcomes, [[true], [true], [false]]);
		assert.equal(runsOfNext(execution), 1);
		const [next = {}] = outputOf(execution, nextName);
		assert.equal(next.seen, wait.requestId);
		assert.equal(next.shareStatus, 'completed');
		assert.equal(await countExecutions(rest, created.workflow.id), 1);
	});
});
