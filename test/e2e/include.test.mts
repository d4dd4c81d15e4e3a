import assert from 'node:assert/strict';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { assertAnswer } from '../support/answers.mts';
import { credentialFields } from '../support/credential.mts';
import { payload } from '../support/delivery.mts';
import { openRest, serviceUrl } from '../support/environment.mts';
import { newestExecution } from '../support/executions.mts';
import { openFront } from '../support/front.mts';
import { assertBegins } from '../support/items.mts';
import { answered, callApi, complete, createRequest } from '../support/sandboxService.mts';
import { send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { triggerName } from '../support/workflows.mts';

const rest = openRest();
const front = await openFront();
const options = { include: ['collectionRequest', 'share'] };
const trigger = await createTrigger({ name: 'E2E include', parameters: { options } });
const { url: webhookUrl, secret: webhookSecret, credential, workflow } = trigger;
const fields = { productionBaseUrl: front.url, webhookSecret };
await rest.updateCredential(credential, credentialFields(fields));

const newestItem = async (): Promise<Json> =>
	outputOf(await newestExecution(rest, workflow.id), triggerName)[0] ?? {};

test('a completed request: both are read and stand in the item', async () => {
	const id = await createRequest({ webhookUrl, webhookSecret });
	await complete(id);
	for (const status of ['open', 'completed']) await answered(id, status);
	await trigger.assertCount(2);
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
	assert.deepEqual([share.shareId, share.status], [request.shareId, 'completed']);
	assert.equal('includeError' in item, false);
});

test('a service that hangs: accepted within 5 s, and the item says why', async () => {
	front.decide = () => 'hang';
	const delivery = trigger.good(payload({ shareStatus: 'open' }));
	const started = Date.now();
	assertAnswer(await send(trigger.url, delivery), 'accepted');
	const took = Date.now() - started;
	assert.ok(took < 5000, `${took} ms`);
	const item = await newestItem();
	assert.match(String(item.includeError), /did not respond in time/);
	assert.equal(item.shareStatus, 'open');
});
