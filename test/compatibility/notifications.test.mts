import assert from 'node:assert/strict';
import { publish } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf } from '../../sandbox/n8n/types.mts';
import type { Credential, Json, Workflow } from '../../sandbox/n8n/types.mts';
import { assertAnswer, type Outcome } from '../support/answers.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import {
	signed,
	withBody,
	withHeader,
	without,
	type Delivery,
} from '../../sandbox/deployment/delivery.mts';
import { n8nUrl, serviceUrl } from '../support/environment.mts';
import { countExecutions, newestExecutions } from '../support/executions.mts';
import { nodeName, runNode } from '../support/runNode.mts';
import { answered, assertBegins, fillInForm } from '../support/sandboxService.mts';
import { forge, twoPeople } from '../support/sandboxService.mts';
import { send } from '../../sandbox/deployment/send.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { until } from '../support/until.mts';
import { actionNode, chain, node, to } from '../../sandbox/n8n/workflows.mts';
import { triggerName, triggerNode, webhookNode } from '../../sandbox/n8n/workflows.mts';
import { differs } from './support/differences.mts';
import { isBefore, openOlderRest } from './support/olderRest.mts';

const rest = openOlderRest();
let trigger: Trigger;
let created: Json;
let item: Json;
beforeAll(async () => {
	const options = { include: ['collectionRequest', 'share'] };
	trigger = await createTrigger({ rest, name: 'Compatibility', parameters: { options } });
});

/** How many executions n8n must have started. */
let accepted = 0;
const count = () => countExecutions(rest, trigger.workflow.id);
const sends = async (delivery: Delivery, outcome: Outcome) => {
	assertAnswer(await send(trigger.url, delivery), outcome);
	if (outcome === 'accepted') accepted += 1;
};
/** Waits for the count: older versions of n8n respond before they have stored the execution. */
const assertCount = async () => {
	// Deliveries that must not start anything came earlier and would be counted by now.
	await sends(trigger.good(), 'accepted');
	await until(`${accepted} executions`, async () =>
		(await count()) >= accepted ? true : undefined,
	);
	assert.equal(await count(), accepted, 'number of executions');
};

const run = async (parameters: Json): Promise<Json> => {
	const { credential } = trigger;
	const execution = await runNode({ rest, name: 'Compatibility', credential, parameters });
	assert.equal(execution.status, 'success', failureOf(execution));
	return outputOf(execution, nodeName)[0] ?? {};
};

test('Create gives the guest link', async () => {
	created = await run({
		...{ resource: 'collectionRequest', operation: 'create', templateId: 'e2e-template' },
		...{ participantsMode: 'fields', participants: { participant: twoPeople } },
		notify: 'trigger',
		webhookUrl: trigger.url,
	});
	const requestId = String(created.requestId);
	assertBegins(created, requestId, `${serviceUrl}/request/${requestId}`);
	assert.equal(created._id, requestId);
});

test('Guests submit, and the signed notification starts the trigger', async () => {
	const guestLink = String(created.guestLink);
	for (const person of twoPeople) await fillInForm(guestLink, person, 'Seestrasse 2');
	const delivery = await answered(String(created.requestId), 'completed');
	assert.deepEqual([delivery.statusCode, delivery.answer], [200, '{"status":"accepted"}']);
	item = await until('the execution of the completion', async () => {
		const executions = await newestExecutions(rest, trigger.workflow.id, 2);
		const items = executions.flatMap((execution) => outputOf(execution, triggerName));
		return items.find(({ shareStatus }) => shareStatus === 'completed');
	});
	assert.equal(item.requestId, created.requestId);
	assert.equal(item.guestLink, created.guestLink);
	assert.equal(item.deliveryId, delivery.deliveryId);
	accepted += 2;
	await assertCount();
});

test('Options > Include adds the request and the share', () => {
	assert.equal(item.includeError, undefined);
	const { requestId, guestLink } = created;
	assertBegins(item.collectionRequest as Json, String(requestId), String(guestLink));
	const share = item.share as Json;
	assertBegins(share, String(requestId), String(guestLink));
	assert.match(JSON.stringify(share.answers), /Seestrasse 2/);
});

test('Forged, altered and unsigned notifications are refused and start nothing', async () => {
	const { statusCode, answer } = await forge(String(created.requestId));
	assert.deepEqual([statusCode, answer], [401, '{"status":"unverified"}']);
	const good = trigger.good();
	await sends(withBody(good, `${good.body.toString()} `), 'unverified');
	await sends(without(good, 'X-SVC-Signature'), 'unverified');
	await assertCount();
});

test('A stale notification is refused, and a repetition starts nothing', async () => {
	const stale = signed({ secret: trigger.secret, timestamp: '1700000000000' });
	await sends(stale, 'unverified');
	const once = trigger.good();
	await sends(once, 'accepted');
	await sends(once, 'duplicate');
	await assertCount();
});

test('A body that is not JSON by its type is verified by its bytes', async () => {
	const good = trigger.good();
	await sends(withHeader(good, 'Content-Type', 'application/octet-stream'), 'accepted');
	await assertCount();
});

test('A 200 leaves after n8n has stored the execution', async () => {
	if (await isBefore(rest, 2, 11)) return differs('this n8n may answer before');
	for (let attempt = 0; attempt < 10; attempt += 1) {
		const earlier = await count();
		await sends(trigger.good(), 'accepted');
		assert.equal(await count(), earlier + 1);
	}
});

test('The trigger is not published without a webhook secret', async () => {
	const credential = await createCredential(rest, 'No secret');
	const workflow = await rest.createWorkflow(chain('No secret', [triggerNode(credential)]));
	await assert.rejects(publish(rest, workflow), /has no webhook secret/);
});

test('Reads: Get, Get Guest Link, Share > Get', async () => {
	const requestId = String(created.requestId);
	const request = { resource: 'collectionRequest', requestId };
	assert.equal((await run({ ...request, operation: 'get' })).shareStatus, 'completed');
	const link = await run({ ...request, operation: 'getGuestLink' });
	assert.deepEqual(link, { requestId, guestLink: created.guestLink });
	const read = { resource: 'share', operation: 'get' };
	const share = await run({ ...read, requestId });
	assertBegins(share, requestId, String(created.guestLink));
	assert.match(JSON.stringify(share.answers), /Seestrasse 2/);
});

test('30 notifications at once: each is accepted and has its execution', async () => {
	const burst = Array.from({ length: 30 }, () => trigger.good());
	await Promise.all(burst.map((delivery) => sends(delivery, 'accepted')));
	await assertCount();
});

describe('without the trigger', () => {
	const verifyName = 'Verify';
	const wentThrough = 'Verified';
	const wentAside = 'Refused';
	const secret = newSecret();
	let credential: Credential;
	let workflow: Workflow;
	let url = '';
	beforeAll(async () => {
		credential = await createCredential(rest, 'Verify', { webhookSecret: secret });
		const webhook = webhookNode();
		Object.assign(webhook.parameters, { responseMode: 'lastNode', options: { rawBody: true } });
		const verify = {
			...actionNode(verifyName, credential, { resource: 'notification', operation: 'verify' }),
			onError: 'continueErrorOutput',
		};
		const end = (name: string) => node(name, 'n8n-nodes-base.noOp', 1, {});
		const made = chain('Verify', [webhook, verify]);
		made.nodes.push(end(wentThrough), end(wentAside));
		made.connections[verifyName] = { main: [to(wentThrough), to(wentAside)] };
		workflow = await publish(rest, await rest.createWorkflow(made));
		url = `${n8nUrl}/webhook/${String(webhook.parameters.path)}`;
	});

	const verified = async (delivery: Delivery) => {
		await send(url, delivery);
		const [execution] = await newestExecutions(rest, workflow.id, 1);
		assert.ok(execution);
		assert.equal(execution.status, 'success');
		return execution;
	};

	test("Verify: a genuine notification behind n8n's Webhook node", async () => {
		const execution = await verified(signed({ secret }));
		assert.equal(execution.data.resultData.runData[wentAside], undefined);
		const [item = {}] = outputOf(execution, wentThrough);
		assert.equal(item.shareStatus, 'completed');
	});

	test('Verify: a forged one leaves by the error output alone', async () => {
		const execution = await verified(signed({ secret: newSecret() }));
		assert.deepEqual(outputOf(execution, wentThrough), []);
		assert.match(String(outputOf(execution, wentAside)[0]?.error), /was refused/);
	});

	test('Send Test: the trigger accepts it', async () => {
		const own = await createTrigger({ rest, name: 'Send Test', secret });
		const execution = await runNode({
			...{ rest, name: 'Send Test: sender', credential },
			parameters: {
				...{ resource: 'notification', operation: 'sendTest' },
				...{ webhookUrl: own.url, requestId: 'r1' },
			},
		});
		const [item = {}] = outputOf(execution, nodeName);
		assert.deepEqual([item.statusCode, item.response], [200, { status: 'accepted' }]);
		await own.assertCount(1);
	});
});
