import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { openRest } from '../support/environment.mts';
import { assertBegins } from '../support/items.mts';
import { complete } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { createName, createWaiting, nextName, waitingName } from '../support/waiting.mts';
import type { Wait, WaitingOptions } from '../support/waiting.mts';
import { node, setNode } from '../support/workflows.mts';

/** n8n looks for waits that are over only once a minute. */
const waitTracker = 150_000;
const limit = { limitWaitTime: true, resumeAmount: 2, resumeUnit: 'seconds' };

/** n8n's If node: its first output is for what has timed out. */
const decideName = 'Timed Out?';
const isTimedOut = {
	...{ id: randomUUID(), leftValue: '={{ $json.timedOut }}', rightValue: '' },
	operator: { type: 'boolean', operation: 'true', singleValue: true },
};
const decideNode = node(decideName, 'n8n-nodes-base.if', 2.2, {
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		...{ conditions: [isTimedOut], combinator: 'and' },
	},
	options: {},
});
const to = (name: string) => [{ node: name, type: 'main', index: 0 }];

const start = async (name: string, wait: Json, more: Partial<WaitingOptions> = {}) => {
	const created = await createWaiting({ name: `E2E waiting: ${name}`, wait, ...more });
	return await created.startWaiting();
};

describe('Wait with a limit', () => {
	/** All of them begin before the first is looked at: n8n takes up to a minute for each round. */
	let interval: Wait;
	let date: Wait;
	let loop: Wait;
	beforeAll(async () => {
		interval = await start('limit', limit);
		date = await start('limit at a date', {
			...{ limitWaitTime: true, limitType: 'atSpecifiedTime' },
			maxDateAndTime: new Date(Date.now() + 3_000).toISOString(),
		});
		// The third round must not end before its notification comes.
		const firstRounds = { ...limit, resumeAmount: '={{ $runIndex < 2 ? 2 : 600 }}' };
		loop = await start('loop', firstRounds, {
			follow: ({ create, wait }) => [
				...[create, wait, decideNode],
				setNode(nextName, 'seen', `={{ $('${createName}').item.json.requestId }}`),
			],
			connections: { [decideName]: { main: [to(waitingName), to(nextName)] } },
		});
	});

	test.each([
		['after a time: the item of Create, and timedOut', () => interval],
		['at a date', () => date],
	])('%s', async (_title, waitOf) => {
		const wait = waitOf();
		const execution = await wait.endsOnce(waitTracker);
		const [item = {}, ...more] = outputOf(execution, waitingName);
		assert.equal(more.length, 0);
		assertBegins(item, wait.requestId, wait.guestLink);
		assert.deepEqual(item, { ...outputOf(execution, createName)[0], timedOut: true });
		assert.equal(outputOf(execution, nextName)[0]?.seen, wait.requestId);
		const late = await wait.send(wait.delivery());
		assert.equal(late.status, 409, late.text);
		await wait.endsOnce();
	});

	test('led back to Wait: it waits again, and the notification of a later round ends it', async () => {
		const isThird = async () => {
			if ((await loop.status()) !== 'waiting') return false;
			const { data } = await openRest().getExecution(loop.executionId);
			return data.resultData.runData[waitingName]?.length === 3;
		};
		await until('it waits for the third time', isThird, 2 * waitTracker);
		await complete(loop.requestId);
		assert.equal((await loop.answered('completed')).answer, '{"status":"accepted"}');
		const execution = await loop.endsOnce();
		const runs = execution.data.resultData.runData[waitingName] ?? [];
		const outcomes = runs.map(({ data }) => data?.main?.[0]?.map(({ json }) => json.timedOut));
		assert.deepEqual(outcomes, [[true], [true], [false]]);
		const [{ seen, shareStatus } = {}] = outputOf(execution, nextName);
		assert.deepEqual([seen, shareStatus], [loop.requestId, 'completed']);
	});
});
