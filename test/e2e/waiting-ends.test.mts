import assert from 'node:assert/strict';
import { failureOf, outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { countExecutions, finished } from '../support/executions.mts';
import { openFront, type Front } from '../support/front.mts';
import { assertBegins } from '../support/items.mts';
import { indexes, runNode } from '../support/runNode.mts';
import { complete, redeliver, stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { createWaiting, nextName, runsOfNext, unnotified } from '../support/waiting.mts';
import { waitingName, type Wait } from '../support/waiting.mts';

const waitForIt = { resource: 'collectionRequest', operation: 'wait' };

describe('Wait: when it does not end by the first notification', () => {
	const rest = openRest();
	let front: Front;
	beforeAll(async () => {
		front = await openFront();
	});
	afterAll(() => front.close());

	const create = (name: string) =>
		createWaiting({
			...{ rest, n8nUrl, name: `E2E waiting: ${name}` },
			fields: { productionBaseUrl: front.url },
		});
	const readsFail = () => {
		front.decide = ({ method }) =>
			method === 'GET' ? { status: 500, body: { message: 'no' } } : undefined;
	};
	const endsByRepetition = async (wait: Wait, id: string) => {
		const again = await redeliver(id, false);
		assert.deepEqual([again.statusCode, again.answer], [200, '{"status":"accepted"}']);
		const execution = await wait.end();
		assert.equal(execution.status, 'success');
		assert.equal(runsOfNext(execution), 1);
		assert.equal(outputOf(execution, nextName)[0]?.shareStatus, 'completed');
	};

	test('a request that is complete before it begins: no wait', async () => {
		front.before = async ({ method }, { body }) => {
			if (method === 'POST') await complete(String(body._id));
		};
		const created = await create('complete at once');
		const execution = await finished(rest, await created.start());
		front.before = undefined;
		assert.equal(execution.status, 'success');
		assert.equal(runsOfNext(execution), 1);
		const [item = {}] = outputOf(execution, waitingName);
		const [wait] = await created.requests(execution.id);
		assert.ok(wait);
		assert.equal(wait.request.shareStatus, 'completed');
		assertBegins(item, wait.requestId, wait.guestLink);
		assert.deepEqual(item, { ...wait.request, ...unnotified(wait) });
		assert.equal(await countExecutions(rest, created.workflow.id), 1);
	});

	test('a request that cannot be read before it begins waits all the same', async () => {
		readsFail();
		const created = await create('not readable');
		const wait = await created.startWaiting();
		front.decide = undefined;
		await complete(wait.requestId);
		const execution = await wait.end();
		assert.equal(execution.status, 'success');
		const [item = {}] = outputOf(execution, waitingName);
		assert.equal(item.shareStatus, 'completed');
		assert.equal(runsOfNext(execution), 1);
	});

	test('a service that fails its reads at the notification: 503, and a later one ends it', async () => {
		const created = await create('fails later');
		const wait = await created.startWaiting();
		readsFail();
		await complete(wait.requestId);
		const completed = await wait.answered('completed');
		assert.deepEqual([completed.statusCode, completed.answer], [503, '{"status":"not checked"}']);
		assert.equal(await wait.status(), 'waiting');
		const { deliveries } = await stateOf(wait.requestId);
		assert.equal(deliveries.at(-1)?.answer, '{"status":"waiting"}', 'about "open"');

		front.decide = undefined;
		await endsByRepetition(wait, completed.id);
		assert.equal(await countExecutions(rest, created.workflow.id), 1);
	});

	test('a notification before n8n has stored the wait: 409, and one that comes again ends it', async () => {
		let early: Awaited<ReturnType<Wait['answered']>> | undefined;
		front.before = async ({ method }, { body }) => {
			if (method !== 'GET') return;
			const requestId = String(body._id);
			await complete(requestId);
			early = await until('the notification has its answer', async () => {
				const { deliveries } = await stateOf(requestId);
				return deliveries.find(
					({ shareStatus, statusCode }) => shareStatus === 'completed' && statusCode !== null,
				);
			});
		};
		const created = await create('race');
		const wait = await created.startWaiting();
		front.before = undefined;
		assert.ok(early);
		assert.equal(early.statusCode, 409);
		assert.equal(await wait.status(), 'waiting');
		await endsByRepetition(wait, early.id);
	});

	/** Runs the node alone; answers why it failed, and that the service has heard nothing. */
	const refusal = async (fields: Json, parameters: Json, items: Json[]) => {
		const heard = front.seen.length;
		const credential = await createCredential(rest, 'E2E waiting: refused', {
			...{ productionBaseUrl: front.url, webhookSecret: newSecret() },
			...fields,
		});
		const name = 'E2E waiting: refused';
		const execution = await runNode({ rest, name, credential, parameters, items });
		assert.equal(execution.status, 'error');
		assert.equal(front.seen.length, heard);
		return String(failureOf(execution));
	};

	test('more than 100 collection requests: an error that names another way, and nothing is read', async () => {
		const parameters = { ...waitForIt, requestId: '={{ $json.index }}' };
		const failure = await refusal({}, parameters, indexes(101));
		assert.match(failure, /up to 100 collection requests at a time.*Data Collection Trigger/);
	});

	for (const operation of ['create', 'wait']) {
		test(`a credential that needs an item: ${operation} is refused, and nothing is sent`, async () => {
			const parameters: Json = {
				...{ ...waitForIt, operation, requestId: 'any' },
				...(operation === 'create' && { templateId: 'e2e-template', notify: 'wait' }),
			};
			const apiKey = '={{ $json.key }}';
			const failure = await refusal({ apiKey }, parameters, [{ key: 'key-of-an-item' }]);
			assert.match(failure, /takes a field from the data of the workflow/);
		});
	}

	test('a request that the service does not know: an error, not a wait for ever', async () => {
		const credential = await createCredential(rest, 'E2E waiting: unknown', {
			webhookSecret: newSecret(),
		});
		const parameters = { ...waitForIt, requestId: 'no-such-request' };
		const name = 'E2E waiting: unknown';
		const execution = await runNode({ rest, name, credential, parameters });
		assert.equal(execution.status, 'error');
		assert.match(String(failureOf(execution)), /does not know the collection request/);
	});
});
