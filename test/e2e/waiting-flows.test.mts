import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf, runsOf, type Json } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { actionNode, chain, ifNode, manualName, manualNode } from '../support/workflows.mts';
import { mergeNode, node, setNode, splitNode, withCredential } from '../support/workflows.mts';
import { rest } from '../support/environment.mts';
import { finished, waits, waitTracker } from '../support/executions.mts';
import { complete, createForTwo, redeliver, requestsOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { createWaiting, nextName, waitingName } from '../support/waiting.mts';
import type { Wait, WaitingOptions } from '../support/waiting.mts';

// Waits in larger workflows: in a loop, before another one, called by another workflow, cancelled,
// and led back.

const create = (name: string, options: Partial<WaitingOptions> = {}) =>
	createWaiting({ name: `E2E waiting: ${name}`, ...options });

/** n8n ends expired waits only once a minute: this one expires while the other tests run. */
let offices: [a: Wait, b: Wait];
beforeAll(async () => {
	const created = await create('limit', {
		wait: {
			limitWaitTime: true,
			resumeUnit: 'seconds',
			resumeAmount: '={{ $runIndex === 0 ? 10 : 900 }}',
		},
		follow: ({ create, wait }) => [
			splitNode('body.offices'),
			create,
			wait,
			setNode(nextName, 'office', "={{ $('Items').item.json.office }}"),
			setNode('Reminder', 'reminded', "={{ $('Items').item.json.office }}"),
		],
		paths: ['Webhook -> Items -> Create -> Wait -> Next', 'Wait/1 -> Reminder -> Wait'],
	});
	const executionId = await created.start({ offices: [{ office: 'A' }, { office: 'B' }] });
	offices = (await created.requests(executionId)) as [Wait, Wait];
});

/**
 * Completes the collection request, which the service reports together with its opening. Either of
 * the two notifications may end the wait.
 */
const end = async (wait: Wait) => {
	await complete(wait.requestId);
	return await wait.answered('completed');
};

test("a late notification does not end a Wait node of n8n's own", async () => {
	const theirName = 'Wait of n8n';
	const parameters = { resume: 'webhook', httpMethod: 'POST', options: {} };
	const theirs = node(theirName, 'n8n-nodes-base.wait', 1.1, parameters);
	const created = await create("n8n's own", {
		follow: ({ create, wait, next }) => [
			create,
			wait,
			{ ...theirs, webhookId: randomUUID() },
			next,
		],
	});
	const wait = await created.startWaiting();
	const { id: late } = await end(wait);
	await until("n8n's own node waits", async () => {
		if ((await wait.status()) !== 'waiting') return false;
		const { data } = await rest.getExecution(wait.executionId);
		return data.resultData.lastNodeExecuted === theirName;
	});
	const again = await redeliver(late, false);
	expect(again.statusCode).toBe(404);
	expect(await wait.status()).toBe('waiting');

	const url = new URL(wait.resumeUrl);
	url.pathname = `/webhook-waiting/${wait.executionId}`;
	expect((await fetch(url, { method: 'POST' })).status).toBe(200);
	await wait.endsOnce();
});

test('in a sub-workflow: it goes on, and so does the workflow that called it', async () => {
	const created = await create('sub-workflow', {
		follow: async ({ create, wait, next }) => {
			const passthrough = { inputSource: 'passthrough' };
			const called = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, passthrough);
			const child = chain('E2E waiting: called', [called, create, wait]);
			const { id } = await publish(rest, await rest.createWorkflow(child));
			const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
				workflowId: { __rl: true, mode: 'id', value: id },
				workflowInputs: { mappingMode: 'defineBelow', value: {} },
				options: {},
			});
			return [call, next];
		},
	});
	const wait = await created.startWaiting();
	await end(wait);
	const [{ seen, shareStatus } = {}] = outputOf(await wait.endsOnce(), nextName);
	expect([seen, shareStatus]).toStrictEqual([wait.requestId, 'completed']);
});

test('in Loop Over Items: each round waits for its own, and is led on', async () => {
	const created = await create('loop', {
		follow: ({ create, wait, next }) => [
			splitNode('body.offices'),
			node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1, options: {} }),
			create,
			wait,
			next,
		],
		paths: ['Webhook -> Items -> Loop -> Next', 'Loop/1 -> Create -> Wait -> Loop'],
	});
	const executionId = await created.start({ offices: [{ office: 'A' }, { office: 'B' }] });
	const [first] = await created.requests(executionId);
	assert.ok(first);
	await end(first);
	const second = await until('the second round', async () => {
		const [, second] = await created.requests(executionId);
		return second;
	});
	await waits(executionId);
	await end(second);
	const idsOf = (items: Json[] = []) => items.map(({ requestId }) => requestId);
	const done = runsOf(await second.endsOnce(), waitingName).map(([items]) => idsOf(items));
	expect(done).toStrictEqual([[first.requestId], [second.requestId]]);
});

test('behind two Creates and a Merge: in the order of creation, each with its own data', async () => {
	const created = await create('two Creates', {
		follow: ({ create, wait }) => [
			splitNode('body.offices'),
			ifNode('If', 'city', 'Bern'),
			create,
			{ ...create, id: randomUUID(), name: 'Other', position: [0, 100] },
			mergeNode(),
			wait,
			setNode(nextName, 'office', "={{ $('Items').item.json.office }}"),
		],
		paths: [
			'Webhook -> Items -> If -> Create -> Merge -> Wait -> Next',
			'If/1 -> Other -> 1/Merge',
		],
	});
	const executionId = await created.start({
		offices: [
			{ office: 'A', city: 'Bern' },
			{ office: 'B', city: 'Bern' },
			{ office: 'C', city: 'Basel' },
		],
	});
	const [first, ...others] = await created.requests(executionId);
	assert.ok(first);
	for (const { requestId } of [first, ...others]) await complete(requestId);
	const execution = await first.endsOnce();
	const ids = [first, ...others].map(({ requestId }) => requestId);
	const seen = outputOf(execution, nextName).map(({ requestId, office }) => [requestId, office]);
	expect(seen).toEqual([
		[ids[0], 'A'],
		[ids[1], 'B'],
		[ids[2], 'C'],
	]);
});

test('with another credential than Create, nothing is created', async () => {
	const other = await createCredential('E2E waiting: another secret', {
		webhookSecret: newSecret(),
	});
	const created = await create('another credential', {
		follow: ({ create, wait }) => [create, withCredential(wait, other)],
	});
	const message = 'its credential has another webhook secret than that of this node';
	await expect(created.start()).rejects.toThrow(message);
	expect(await requestsOf(created.identifier)).toEqual([]);
});

test('behind pinned data in the editor, it says so at once', async () => {
	const created = await create('pinned');
	const { requestId } = await created.startWaiting();
	const credential = await createCredential('E2E waiting: pinned', { webhookSecret: newSecret() });
	const own = actionNode('Create', credential, createForTwo);
	const wait = actionNode('Wait', credential, { resource: 'collectionRequest', operation: 'wait' });
	const file = chain('E2E waiting: pinned', [manualNode(), own, wait]);
	const pinData = { Create: [{ json: { requestId } }] };
	const { id } = await rest.createWorkflow({ ...file, pinData });
	const execution = await finished(await rest.runManually(id, manualName));
	expect(failureOf(execution)).toContain('the data of "Create" is pinned');
});

test('a cancelled execution stays cancelled: notifications are refused', async () => {
	const wait = await (await create('cancelled')).startWaiting();
	await rest.send('POST', `/rest/executions/${wait.executionId}/stop`);
	expect(await wait.status()).toBe('canceled');
	expect((await wait.send(wait.delivery())).status).toBe(409);
	expect(await wait.status()).toBe('canceled');
});

describe('a limit', () => {
	const reading = async () => await rest.getExecution(offices[0].executionId);
	const timedOut = ({ requestId, guestLink }: Wait) => ({ requestId, guestLink, timedOut: true });

	test('leads all by Timed Out, whatever has happened since the wait began', async () => {
		const [a, b] = offices;
		await complete(a.requestId);
		expect((await a.answered('completed')).answer).toBe('{"status":"waiting"}');
		const isBack = async () => runsOf(await reading(), 'Reminder').length > 0;
		await until('it has timed out', isBack, waitTracker);
		await waits(a.executionId);
		const execution = await reading();
		const [first] = runsOf(execution, waitingName);
		expect(first).toStrictEqual([[], [timedOut(a), timedOut(b)]]);
		expect(outputOf(execution, 'Reminder').map(({ reminded }) => reminded)).toEqual(['A', 'B']);
	});

	test('back in Wait, they are awaited again and leave by Done, each with its own data', async () => {
		const [a, b] = offices;
		await end(b);
		const execution = await a.endsOnce();
		const [done = [], ...more] = runsOf(execution, waitingName).at(-1) ?? [];
		expect(more).toStrictEqual([[]]);
		const isReported = ({ notification }: Json) => notification !== null;
		expect(done.map((item) => [item.requestId, item.timedOut, isReported(item)])).toEqual([
			[a.requestId, false, false],
			[b.requestId, false, true],
		]);
		const [seen = []] = runsOf(execution, nextName)[0] ?? [];
		expect(seen.map(({ office }) => office)).toEqual(['A', 'B']);
		expect((await a.send(a.delivery())).status).toBe(409);
		await a.endsOnce();
	});
});
