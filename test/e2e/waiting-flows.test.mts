import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { rest } from '../support/environment.mts';
import { assertBegins } from '../support/items.mts';
import { complete, redeliver } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { createName, createWaiting, nextName, waitingName } from '../support/waiting.mts';
import { waitTracker, type Wait } from '../support/waiting.mts';
import { chain, node } from '../support/workflows.mts';


/** Completes the request; the notification of that must have ended the wait. */
const end = async (wait: Wait) => {
	await complete(wait.requestId);
	const { id, statusCode, answer } = await wait.answered('completed');
	assert.deepEqual([statusCode, answer], [200, '{"status":"accepted"}']);
	return id;
};

describe('Wait beside other nodes', () => {
	test('a late notification of an earlier Wait is ignored by the next one', async () => {
		// Begins like the other one; n8n must find it all the same.
		const secondWait = `${waitingName} {{ "for" }} 'another' 😀\\`;
		const created = await createWaiting({
			name: 'E2E waiting: two waits',
			follow: ({ create, wait, next }) => [
				...[create, wait],
				{ ...create, name: 'Create another', id: randomUUID() },
				{ ...wait, name: secondWait, id: randomUUID() },
				next,
			],
		});
		const first = await created.startWaiting();
		const late = await end(first);
		const second = await until('it waits for the second request', async () => {
			const [, other] = await created.requests(first.executionId);
			return (await first.status()) === 'waiting' ? other : undefined;
		});
		assert.equal(second.resumeUrl, first.resumeUrl);

		const again = await redeliver(late, false);
		assert.deepEqual([again.statusCode, again.answer], [200, '{"status":"ignored"}']);
		assert.equal(await first.status(), 'waiting');
		await end(second);
		const execution = await first.endsOnce();
		assert.equal(outputOf(execution, waitingName)[0]?.requestId, first.requestId);
		assert.equal(outputOf(execution, secondWait)[0]?.requestId, second.requestId);
		assert.equal(outputOf(execution, nextName)[0]?.seen, second.requestId);
	});

	test("a late notification does not end a Wait node of n8n's own", async () => {
		const theirName = 'Wait of n8n';
		const parameters = { resume: 'webhook', httpMethod: 'POST', options: {} };
		const theirs = node(theirName, 'n8n-nodes-base.wait', 1.1, parameters);
		const created = await createWaiting({
			name: "E2E waiting: n8n's own",
			follow: ({ create, wait, next }) => [
				...[create, wait, { ...theirs, webhookId: randomUUID() }, next],
			],
		});
		const wait = await created.startWaiting();
		const late = await end(wait);
		await until("n8n's own node waits", async () => {
			if ((await wait.status()) !== 'waiting') return false;
			const { data } = await rest.getExecution(wait.executionId);
			return data.resultData.lastNodeExecuted === theirName;
		});
		const again = await redeliver(late, false);
		assert.equal(again.statusCode, 404, again.answer);
		assert.equal(await wait.status(), 'waiting');

		const url = new URL(wait.resumeUrl);
		url.pathname = `/webhook-waiting/${wait.executionId}`;
		assert.equal((await fetch(url, { method: 'POST' })).status, 200);
		await wait.endsOnce();
	});

	test('in a sub-workflow: it goes on, and so does the workflow that called it', async () => {
		const name = 'E2E waiting: sub-workflow';
		const created = await createWaiting({
			name,
			follow: async ({ create, wait, next }) => {
				const called = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
					inputSource: 'passthrough',
				});
				const child = await rest.createWorkflow(chain(`${name}, called`, [called, create, wait]));
				await publish(rest, child);
				const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
					workflowId: { __rl: true, mode: 'id', value: child.id },
					...{ workflowInputs: { mappingMode: 'defineBelow', value: {} }, options: {} },
				});
				return [call, next];
			},
		});
		const wait = await created.startWaiting();
		await end(wait);
		const [{ seen, shareStatus } = {}] = outputOf(await wait.endsOnce(), nextName);
		assert.deepEqual([seen, shareStatus], [wait.requestId, 'completed']);
	});
});

test('Wait with a limit passes on the item of Create with timedOut, and what comes later is refused', async () => {
	const limit = { limitWaitTime: true, resumeAmount: 2, resumeUnit: 'seconds' };
	const created = await createWaiting({ name: 'E2E waiting: limit', wait: limit });
	const wait = await created.startWaiting();
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
