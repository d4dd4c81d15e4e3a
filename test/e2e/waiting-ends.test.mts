import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { failureOf, outputOf } from '../../sandbox/n8n/types.mts';
import { n8nUrl, openRest } from './support/environment.mts';
import { countExecutions, finished } from './support/executions.mts';
import { openFront, type Front } from './support/front.mts';
import { assertBegins } from './support/items.mts';
import { complete, redeliver, requestOf, stateOf } from './support/sandboxService.mts';
import { until } from './support/until.mts';
import { createWaiting, nextName, runsOfNext, waitingName } from './support/waiting.mts';
import { actionNode, chain, manualName, manualNode } from './support/workflows.mts';

/** n8n looks for waits that are over only once a minute. */
const waitTracker = 100_000;

void describe('Create and Wait: when the wait does not end by a notification in time', () => {
	const rest = openRest();
	let front: Front;
	before(async () => {
		front = await openFront();
	});
	after(() => front.close());

	const create = (name: string, parameters = {}) =>
		createWaiting({
			...{ rest, n8nUrl, name: `E2E waiting: ${name}`, parameters },
			fields: { productionBaseUrl: front.url },
		});
	const readsFail = () => {
		front.decide = ({ method }) =>
			method === 'GET' ? { status: 500, body: { message: 'no' } } : undefined;
	};

	/** The delivery of "completed", once n8n has answered it. */
	const completedOf = async (requestId: string) => {
		const { deliveries } = await stateOf(requestId);
		return deliveries.find(
			({ shareStatus, statusCode }) => shareStatus === 'completed' && statusCode !== null,
		);
	};

	test('the limit ends it with the created request and timedOut', async (context) => {
		const limit = { limitWaitTime: true, resumeAmount: 2, resumeUnit: 'seconds' };
		const started = Date.now();
		const created = await create('limit', limit);
		const wait = await created.startWaiting();
		const execution = await wait.end(waitTracker);
		context.diagnostic(`a limit of 2 s ended after ${(Date.now() - started) / 1000} s`);
		assert.equal(execution.status, 'success');
		const [item = {}] = outputOf(execution, waitingName);
		assertBegins(item, wait.requestId, wait.guestLink);
		assert.equal(item._id, wait.requestId);
		assert.equal(item.timedOut, true);
		assert.equal(item.shareStatus, 'open');
		assert.equal(runsOfNext(execution), 1);
		const late = await wait.send(wait.delivery());
		assert.equal(late.status, 409, late.text);
		assert.equal(await countExecutions(rest, created.workflow.id), 1);
	});

	test('a request that is complete just after its creation: no wait', async () => {
		front.before = async ({ method }, { body }) => {
			if (method === 'POST') await complete(String(body._id));
		};
		const created = await create('complete at once');
		const execution = await finished(rest, await created.start());
		front.before = undefined;
		assert.equal(execution.status, 'success');
		assert.equal(runsOfNext(execution), 1);
		const [item = {}] = outputOf(execution, waitingName);
		const { request, guestLink } = await requestOf(created.identifier);
		assert.equal(request.shareStatus, 'completed');
		assertBegins(item, request._id, guestLink);
		const own = { requestId: request._id, guestLink, notification: null };
		assert.deepEqual(item, { ...request, ...own });
		assert.equal(await countExecutions(rest, created.workflow.id), 1);
	});

	test('a created request that cannot be read waits all the same', async () => {
		readsFail();
		const created = await create('not readable');
		const wait = await created.startWaiting();
		front.decide = undefined;
		await complete(wait.requestId);
		const execution = await wait.end();
		assert.equal(execution.status, 'success');
		const [item = {}] = outputOf(execution, waitingName);
		assert.equal(item.shareStatus, 'completed');
		assert.equal(item.includeError, undefined);
		assert.equal(runsOfNext(execution), 1);
	});

	test('a service that fails at the notification: resumed with what was created', async () => {
		const created = await create('fails later');
		const wait = await created.startWaiting();
		readsFail();
		await complete(wait.requestId);
		const execution = await wait.end();
		front.decide = undefined;
		const [item = {}] = outputOf(execution, waitingName);
		assertBegins(item, wait.requestId, wait.guestLink);
		assert.equal(item._id, wait.requestId);
		assert.equal(item.shareStatus, 'completed');
		assert.match(String(item.includeError), /Something went wrong inside the service/);
		assert.equal('timedOut' in item, false);
		const { deliveries } = await stateOf(wait.requestId);
		assert.deepEqual(
			deliveries.map(({ answer }) => answer),
			['{"status":"accepted"}', '{"status":"waiting"}'],
			'newest first',
		);
	});

	test('a notification before n8n has stored the wait: 409, and one that comes again resumes', async (context) => {
		front.before = async ({ method }, { body }) => {
			if (method !== 'GET') return;
			await complete(String(body._id));
			await until('the notification has its answer', () => completedOf(String(body._id)));
		};
		const created = await create('race');
		const wait = await created.startWaiting();
		front.before = undefined;
		const early = await completedOf(wait.requestId);
		assert.ok(early);
		context.diagnostic(`n8n answered ${early.statusCode} ${early.answer}`);
		assert.equal(early.statusCode, 409);
		assert.equal(await wait.status(), 'waiting');
		await redeliver(early.id, false);
		const execution = await wait.end();
		assert.equal(execution.status, 'success');
		assert.equal(outputOf(execution, nextName)[0]?.shareStatus, 'completed');
	});

	test('more than one item: an error that names Loop Over Items, and nothing is created', async () => {
		const created = await create('one only');
		const before = front.seen.length;
		const node = actionNode(waitingName, created.credential, {
			...{ resource: 'collectionRequest', operation: 'createAndWait', templateId: 'e2e-template' },
		});
		const two = { [manualName]: [{ json: { a: 1 } }, { json: { a: 2 } }] };
		const workflow = { ...chain('E2E waiting: two items', [manualNode(), node]), pinData: two };
		const { id } = await rest.createWorkflow(workflow);
		const execution = await finished(rest, await rest.runManually(id, manualName));
		assert.equal(execution.status, 'error');
		assert.match(String(failureOf(execution)), /one item at a time.*Loop Over Items/);
		assert.equal(front.seen.length, before);
	});
});
