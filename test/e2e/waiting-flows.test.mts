import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { rest, service } from '../support/environment.mts';
import { ada, ben, bothAnswer } from '../support/people.mts';
import { openService } from '../support/service/service.mts';
import { createWaiting, type Wait } from '../support/waiting.mts';
import { chain, node, splitNode } from '../support/workflows.mts';

// What n8n does to a Wait in a larger workflow. Which items it awaits and links: test/engine.

test("a late notification does not end a Wait node of n8n's own", async () => {
	const parameters = { resume: 'webhook', httpMethod: 'POST', options: {} };
	const theirs = node('Wait of n8n', 'n8n-nodes-base.wait', 1.1, parameters);
	const created = await createWaiting({
		name: "E2E waiting: n8n's own",
		follow: ({ create, wait, next }) => [
			create,
			wait,
			{ ...theirs, webhookId: randomUUID() },
			next,
		],
	});
	const wait = await created.startWaiting();
	await wait.send(wait.delivery());
	await until("n8n's own node waits", async () => {
		if ((await wait.status()) !== 'waiting') return false;
		const { data } = await rest.getExecution(wait.executionId);
		return data.resultData.lastNodeExecuted === theirs.name;
	});
	expect(await wait.send(wait.delivery())).toMatch(/^404 /);
	expect(await wait.status()).toBe('waiting');

	const url = new URL(wait.resumeUrl);
	url.pathname = `/webhook-waiting/${wait.executionId}`;
	expect((await fetch(url, { method: 'POST' })).status).toBe(200);
	await wait.endsOnce();
});

test('in a sub-workflow: it goes on, and so does the workflow that called it', async () => {
	const created = await createWaiting({
		name: 'E2E waiting: sub-workflow',
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
	service.complete(wait.requestId);
	const [{ seen, shareStatus } = {}] = outputOf(await wait.endsOnce(), 'Next');
	expect([seen, shareStatus]).toStrictEqual([wait.requestId, 'completed']);
});

test('one is deleted while 20 wait: the answers of the others come out', async () => {
	const own = await openService();
	const answers = { resource: 'share', operation: 'getAnswers', output: 'columns', options: {} };
	const created = await createWaiting({
		name: 'E2E waiting: one of 20 is deleted',
		at: own,
		follow: ({ create, wait, next }) => {
			const read = { ...create, id: randomUUID(), name: 'Answers', parameters: answers };
			return [splitNode('body.offices'), create, wait, read, next];
		},
	});
	const offices = Array.from({ length: 20 }, (_, office) => ({ office }));
	const [deleted, ...others] = created.requests(await created.start({ offices })) as [
		Wait,
		...Wait[],
	];
	own.respond = (call) =>
		call.url.endsWith(deleted.requestId) ? { status: 404, body: {} } : own.answer(call);
	for (const { guestLink } of others) bothAnswer(guestLink, '', own);
	const execution = await deleted.endsOnce();
	const ids = [...new Set(outputOf(execution, 'Create').map(({ requestId }) => requestId))];
	expect(outputOf(execution, 'Wait')).toMatchObject(
		ids.map((requestId) => ({ requestId, isReached: requestId !== deleted.requestId })),
	);
	const address = { 'Delivery address': ada.name, 'Delivery address (2)': ben.name };
	const read = ids.filter((id) => id !== deleted.requestId);
	expect(outputOf(execution, 'Next')).toMatchObject(read.map((seen) => ({ seen, ...address })));
});

test('a cancelled execution stays cancelled: notifications are refused', async () => {
	const wait = await (await createWaiting({ name: 'E2E waiting: cancelled' })).startWaiting();
	await rest.send('POST', `/rest/executions/${wait.executionId}/stop`);
	expect(await wait.status()).toBe('canceled');
	expect(await wait.send(wait.delivery())).toMatch(/^409 /);
	expect(await wait.status()).toBe('canceled');
});
