import assert from 'node:assert/strict';
import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Credential, type Json, type Workflow } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { payload, signed } from '../support/delivery.mts';
import { n8nUrl, openRest, serviceUrl } from '../support/environment.mts';
import { newestExecutions } from '../support/executions.mts';
import { openFront, type Front } from '../support/front.mts';
import { assertBegins } from '../support/items.mts';
import { nodeName, runNode } from '../support/runNode.mts';
import { callApi, complete, stateOf } from '../support/sandboxService.mts';
import { send } from '../support/send.mts';
import { until } from '../support/until.mts';
import { chain, triggerName, triggerNode } from '../support/workflows.mts';

describe("the trigger's option Include", () => {
	const rest = openRest();
	const secret = newSecret();
	let front: Front;
	let credential: Credential;
	let workflow: Workflow;
	let url: string;
	beforeAll(async () => {
		front = await openFront();
		const fields = { productionBaseUrl: front.url, webhookSecret: secret };
		credential = await createCredential(rest, 'E2E include', fields);
		workflow = await publishTrigger({});
		url = triggerUrl(n8nUrl, workflow);
	});
	afterAll(() => front.close());

	const publishTrigger = async (options: Json) => {
		const include = ['collectionRequest', 'share'];
		const nodes = [triggerNode(credential, { options: { include, ...options } })];
		return await publish(rest, await rest.createWorkflow(chain('E2E include', nodes)));
	};
	const completed = async () => {
		const id = await create();
		await complete(id);
		await until('both notifications are answered', async () => {
			const { deliveries } = await stateOf(id);
			return deliveries.filter(({ statusCode }) => statusCode === 200).length === 2 || undefined;
		});
		return id;
	};

	const create = async (): Promise<string> => {
		const parameters = {
			...{ resource: 'collectionRequest', operation: 'create', participantsMode: 'json' },
			...{ templateId: 'e2e-template', participantsJson: '[]' },
			...{ notify: 'trigger', webhookUrl: url },
		};
		const made = await runNode({ rest, name: 'E2E include create', credential, parameters });
		return String(outputOf(made, nodeName)[0]?.requestId);
	};
	const newestItem = async (of = workflow): Promise<Json> => {
		const [execution] = await newestExecutions(rest, of.id, 1);
		assert.ok(execution);
		assert.equal(execution.status, 'success');
		return outputOf(execution, triggerName)[0] ?? {};
	};
	/** A delivery of the test's own; answers the item and how many milliseconds n8n took. */
	const notify = async (requestId: string, to = workflow) => {
		const body = payload({ requestId, shareStatus: 'open' });
		const started = Date.now();
		const answer = await send(triggerUrl(n8nUrl, to), signed({ secret, body }));
		const took = Date.now() - started;
		assert.deepEqual([answer.status, answer.text], [200, '{"status":"accepted"}']);
		const item = await newestItem(to);
		assert.equal(item.requestId, requestId);
		return { item, took };
	};

	test('a completed request: both are read and stand in the item', async () => {
		const id = await completed();
		const item = await newestItem();
		assert.equal(item.shareStatus, 'completed');
		const request = await callApi(`/di/collection-request/${id}`);
		const guestLink = `${serviceUrl}/request/${id}`;
		const included = item.collectionRequest as Json;
		assertBegins(included, id, guestLink);
		assert.deepEqual(included, { ...request, requestId: id, guestLink });
		const share = item.share as Json;
		assertBegins(share, id, guestLink);
		assert.deepEqual(Object.keys(share), [
			...['requestId', 'guestLink', 'shareId', 'status', 'answers', 'participants'],
			...['templateId', 'createTime', 'lastUpdateTime'],
		]);
		assert.equal(share.shareId, request.shareId);
		assert.equal(share.status, 'completed');
		assert.equal('includeError' in item, false);
	});

	test('without Simplify: the share as the service gives it', async () => {
		const id = await completed();
		const { item } = await notify(id, await publishTrigger({ simplify: false }));
		const { shareId } = await callApi(`/di/collection-request/${id}`);
		const share = await callApi(`/di/share/${String(shareId)}`);
		const guestLink = `${serviceUrl}/request/${id}`;
		assertBegins(item.share as Json, id, guestLink);
		assert.deepEqual(item.share, { ...share, requestId: id, guestLink });
	});

	test('no share yet: null, and no error', async () => {
		const id = await create();
		const { item } = await notify(id);
		assert.equal(item.share, null);
		assertBegins(item.collectionRequest as Json, id, `${serviceUrl}/request/${id}`);
		assert.equal('includeError' in item, false);
	});

	test('a request that the service does not know: the item says so', async () => {
		const { item } = await notify('no-such-request');
		assert.match(String(item.includeError), /does not know the collection request/);
		assert.equal('share' in item || 'collectionRequest' in item, false);
	});

	const faults: Array<[title: string, decide: Front['decide'], error: RegExp]> = [
		['fails', () => ({ status: 500, body: {} }), /Something went wrong inside the service/],
		['hangs', () => 'hang', /did not respond in time/],
	];
	for (const [title, decide, error] of faults) {
		test(`a service that ${title}: accepted within 5 s, and the item says why`, async () => {
			const id = await create();
			front.decide = decide;
			const { item, took } = await notify(id);
			front.decide = undefined;
			assert.ok(took < 5000, `${took} ms`);
			assert.match(String(item.includeError), error);
			assert.equal(item.shareStatus, 'open');
		});
	}

	test('a service that hangs on the share alone: the collection request is there', async () => {
		const id = await completed();
		front.decide = ({ url: asked }) => (asked.includes('/di/share/') ? 'hang' : undefined);
		const { item, took } = await notify(id);
		front.decide = undefined;
		assert.ok(took < 5000, `${took} ms`);
		assertBegins(item.collectionRequest as Json, id, `${serviceUrl}/request/${id}`);
		assert.equal('share' in item, false);
		assert.match(String(item.includeError), /did not respond in time/);
	});
});
