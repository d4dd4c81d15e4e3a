import assert from 'node:assert/strict';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import type { Credential, Json, Workflow } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { signed, withBody, type Delivery } from '../support/delivery.mts';
import { n8nUrl, rest, serviceUrl } from '../support/environment.mts';
import { countExecutions, newestExecutions, nodeName, runNode } from '../support/executions.mts';
import { answered, assertBegins, fillInForm } from '../support/sandboxService.mts';
import { twoPeople } from '../support/sandboxService.mts';
import { assertAnswer, type Outcome, send } from '../support/send.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { until } from '../support/until.mts';
import { actionNode, chain, node, to } from '../support/workflows.mts';
import { triggerName, webhookNode } from '../support/workflows.mts';
import { isBefore } from '../support/versions.mts';

let trigger: Trigger;
let created: Json;
let item: Json;
beforeAll(async () => {
	const options = { include: ['collectionRequest', 'share'] };
	trigger = await createTrigger({ name: 'Compatibility', parameters: { options } });
});

/** How many executions n8n must have started. */
let accepted = 0;
const count = () => countExecutions(trigger.workflow.id);
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
	expect(await count()).toBe(accepted);
};

const run = async (parameters: Json): Promise<Json> => {
	const { credential } = trigger;
	const execution = await runNode({ name: 'Compatibility', credential, parameters });
	expect(execution.status).toBe('success');
	return outputOf(execution, nodeName)[0] ?? {};
};

test('Create gives the guest link', async () => {
	created = await run({
		resource: 'collectionRequest',
		operation: 'create',
		templateId: 'e2e-template',
		participantsMode: 'fields',
		participants: { participant: twoPeople },
		notify: 'trigger',
		webhookUrl: trigger.url,
		output: 'collectionRequest',
	});
	const requestId = String(created.requestId);
	assertBegins(created, requestId, `${serviceUrl}/request/${requestId}`);
	expect(created._id).toBe(requestId);
});

test('Guests submit, and the signed notification starts the trigger', async () => {
	const guestLink = String(created.guestLink);
	for (const person of twoPeople) await fillInForm(guestLink, person, 'Seestrasse 2');
	const delivery = await answered(String(created.requestId), 'completed');
	expect([delivery.statusCode, delivery.answer]).toStrictEqual([200, '{"status":"accepted"}']);
	item = await until('the execution of the completion', async () => {
		const executions = await newestExecutions(trigger.workflow.id, 2);
		const items = executions.flatMap((execution) => outputOf(execution, triggerName));
		return items.find(({ shareStatus }) => shareStatus === 'completed');
	});
	expect(item.requestId).toBe(created.requestId);
	expect(item.guestLink).toBe(created.guestLink);
	expect(item.deliveryId).toBe(delivery.deliveryId);
	accepted += 2;
	await assertCount();
});

test('Forged and stale notifications are refused, and a repetition starts nothing', async () => {
	const once = trigger.good();
	await sends(withBody(once, `${once.body.toString()} `), 'unverified');
	await sends(signed({ secret: trigger.secret, timestamp: '1700000000000' }), 'unverified');
	await sends(once, 'accepted');
	await sends(once, 'duplicate');
	await assertCount();
});

test('A 200 leaves after n8n has stored the execution', async () => {
	// Older versions may respond before.
	if (await isBefore(2, 11)) return;
	for (let attempt = 0; attempt < 10; attempt += 1) {
		const earlier = await count();
		await sends(trigger.good(), 'accepted');
		expect(await count()).toBe(earlier + 1);
	}
});

test('Reads: Get, Get Guest Link, Share > Get', async () => {
	const requestId = String(created.requestId);
	const request = { resource: 'collectionRequest', requestId };
	expect((await run({ ...request, operation: 'get' })).shareStatus).toBe('completed');
	const link = await run({ ...request, operation: 'getGuestLink' });
	expect(link).toStrictEqual({ requestId, guestLink: created.guestLink });
	const read = { resource: 'share', operation: 'get' };
	const share = await run({ ...read, requestId });
	assertBegins(share, requestId, String(created.guestLink));
	expect(JSON.stringify(share.answers)).toMatch(/Seestrasse 2/);
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
		credential = await createCredential('Verify', { webhookSecret: secret });
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
		const [execution] = await newestExecutions(workflow.id, 1);
		assert.ok(execution);
		expect(execution.status).toBe('success');
		return execution;
	};

	test("Verify: a genuine notification behind n8n's Webhook node", async () => {
		const execution = await verified(signed({ secret }));
		expect(execution.data.resultData.runData[wentAside]).toBe(undefined);
		const [item = {}] = outputOf(execution, wentThrough);
		expect(item.shareStatus).toBe('completed');
	});

	test('Verify: a forged one leaves by the error output alone', async () => {
		const execution = await verified(signed({ secret: newSecret() }));
		expect(outputOf(execution, wentThrough)).toStrictEqual([]);
		expect(String(outputOf(execution, wentAside)[0]?.error)).toMatch(/was refused/);
	});

	test('Send Test: the trigger accepts it', async () => {
		const own = await createTrigger({ name: 'Send Test', secret });
		const execution = await runNode({
			name: 'Send Test: sender',
			credential,
			parameters: {
				resource: 'notification',
				operation: 'sendTest',
				webhookUrl: own.url,
				requestId: 'r1',
			},
		});
		const [item = {}] = outputOf(execution, nodeName);
		expect([item.statusCode, item.response]).toStrictEqual([200, { status: 'accepted' }]);
		await own.assertCount(1);
	});
});
