import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { countExecutions, succeeded } from '../support/executions.mts';
import { complete, redeliver, stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { createName, createWaiting, nextName, waitingName } from '../support/waiting.mts';
import { waitingNodes, waits, type Wait } from '../support/waiting.mts';
import { chain, manualName, manualNode, node, webhookNode } from '../support/workflows.mts';

describe('Wait beside other nodes', () => {
	const rest = openRest();

	/** Completes the request; the notification of that must have ended the wait. */
	const end = async (wait: Wait) => {
		await complete(wait.requestId);
		const { id, statusCode, answer } = await wait.answered('completed');
		assert.deepEqual([statusCode, answer], [200, '{"status":"accepted"}']);
		return id;
	};

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
		const nodes = await waitingNodes({ name });
		const called = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
			inputSource: 'passthrough',
		});
		const child = await rest.createWorkflow(
			chain(name, [called, nodes.create, nodes.wait, nodes.next]),
		);
		await publish(rest, child);
		const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
			workflowId: { __rl: true, mode: 'id', value: child.id },
			...{ workflowInputs: { mappingMode: 'defineBelow', value: {} }, options: {} },
		});
		const begin = webhookNode();
		const after = node('After', 'n8n-nodes-base.noOp', 1, {});
		const made = await rest.createWorkflow(chain(`${name}, caller`, [begin, call, after]));
		const parent = await publish(rest, made);
		const url = `${n8nUrl}/webhook/${String(begin.parameters.path)}`;
		assert.equal((await fetch(url, { method: 'POST' })).status, 200);
		const executionOf = async (id: string) => {
			const { id: executionId } = await until('the execution is stored', async () =>
				(await rest.listExecutions(id)).at(0),
			);
			await waits(rest, executionId);
			return executionId;
		};
		const [childId, parentId] = [await executionOf(child.id), await executionOf(parent.id)];
		const [one, ...more] = await nodes.requests(childId);
		assert.ok(one);
		assert.equal(more.length, 0);
		await end(one);
		await one.endsOnce();
		const execution = await succeeded(rest, parentId);
		assert.equal(execution.data.resultData.runData.After?.length, 1);
		assert.equal(await countExecutions(rest, parent.id), 1);
		const [{ requestId, shareStatus } = {}] = outputOf(execution, 'After');
		assert.deepEqual([requestId, shareStatus], [one.requestId, 'completed']);
	});

	test("in a run of the editor's button, with the item pinned before it", async () => {
		const name = 'E2E waiting: manual';
		const nodes = await waitingNodes({ name });
		const made = chain(name, [manualNode(), nodes.create, nodes.wait, nodes.next]);
		const pinData = { [manualName]: [{ json: { who: 'Ada' } }] };
		const { id } = await rest.createWorkflow({ ...made, pinData });
		const executionId = await rest.runManually(id, manualName);
		await waits(rest, executionId);
		const [one] = await nodes.requests(executionId);
		assert.ok(one);
		assert.deepEqual((await stateOf(one.requestId)).deliveries, []);
		await end(one);
		const execution = await one.endsOnce();
		assert.equal(execution.mode, 'manual');
		assert.equal(outputOf(execution, createName)[0]?.requestId, one.requestId);
		assert.equal(outputOf(execution, waitingName)[0]?.shareStatus, 'completed');
	});
});
