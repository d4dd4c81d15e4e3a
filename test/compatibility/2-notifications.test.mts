import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { failureOf, outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../e2e/support/credential.mts';
import { signed, withBody, without } from '../e2e/support/delivery.mts';
import { serviceUrl } from '../e2e/support/environment.mts';
import { countExecutions, newestExecutions } from '../e2e/support/executions.mts';
import { publish } from '../e2e/support/publish.mts';
import { nodeName, runNode } from '../e2e/support/runNode.mts';
import { fillInForm, forge, stateOf } from '../e2e/support/sandboxService.mts';
import { send } from '../e2e/support/send.mts';
import { createTrigger, type Trigger } from '../e2e/support/trigger.mts';
import { until } from '../e2e/support/until.mts';
import { twoPeople } from '../e2e/support/waiting.mts';
import { chain, triggerName, triggerNode } from '../e2e/support/workflows.mts';
import { openOlderRest } from './support/olderRest.mts';

void describe('a request and its notifications', () => {
	const rest = openOlderRest();
	let trigger: Trigger;
	let created: Json;
	before(async () => {
		const options = { include: ['collectionRequest', 'share'] };
		trigger = await createTrigger({ rest, name: 'Compatibility', parameters: { options } });
	});

	const run = async (parameters: Json): Promise<Json> => {
		const { credential } = trigger;
		const execution = await runNode({ rest, name: 'Compatibility', credential, parameters });
		assert.equal(execution.status, 'success', failureOf(execution));
		return outputOf(execution, nodeName)[0] ?? {};
	};

	test('Create gives the guest link', async () => {
		created = await run({
			...{ resource: 'collectionRequest', operation: 'create', templateId: 'e2e-template' },
			...{ minimumParticipants: 2, maximumParticipants: 2, participantsMode: 'fields' },
			participants: { participant: twoPeople },
			webhookUrl: trigger.url,
		});
		assert.equal(created.guestLink, `${serviceUrl}/request/${String(created._id)}`);
		assert.equal(created.shareStatus, 'open');
	});

	test('Guests submit, and the signed notification starts the trigger', async () => {
		const guestLink = String(created.guestLink);
		for (const person of twoPeople) await fillInForm(guestLink, person, 'Seestrasse 2');
		const delivery = await until('the completion is answered', async () => {
			const { deliveries } = await stateOf(String(created._id));
			return deliveries.find((sent) => sent.shareStatus === 'completed' && sent.statusCode);
		});
		assert.deepEqual([delivery.statusCode, delivery.answer], [200, '{"status":"accepted"}']);
		await trigger.assertCount(2);
		const [execution] = await newestExecutions(rest, trigger.workflow.id, 1);
		assert.equal(execution?.status, 'success');
		const [item = {}] = outputOf(execution, triggerName);
		assert.equal(item.requestId, created._id);
		assert.equal(item.shareStatus, 'completed');
		assert.equal(item.deliveryId, delivery.deliveryId);
	});

	test('Options > Include adds the request and the share', async () => {
		const [execution] = await newestExecutions(rest, trigger.workflow.id, 1);
		assert.ok(execution);
		const [item = {}] = outputOf(execution, triggerName);
		assert.equal(item.includeError, undefined);
		assert.equal((item.collectionRequest as Json)._id, created._id);
		assert.equal((item.share as Json).collectionRequestId, created._id);
	});

	test('Forged, altered and unsigned notifications are refused and start nothing', async () => {
		const { statusCode, answer } = await forge(String(created._id));
		assert.deepEqual([statusCode, answer], [401, '{"status":"unverified"}']);
		const good = trigger.good();
		await trigger.refuses(withBody(good, `${good.body.toString()} `), 'unverified');
		await trigger.refuses(without(good, 'X-SVC-Signature'), 'unverified');
	});

	test('A stale notification is refused, and a repetition starts nothing', async () => {
		const { secret } = trigger;
		await trigger.refuses(signed({ secret, timestamp: '1700000000000' }), 'unverified');
		const once = trigger.good();
		await trigger.accepts(once);
		await trigger.refuses(once, 'duplicate');
	});

	test('Body that is not JSON by its type is verified by its bytes', async () => {
		const good = trigger.good();
		const headers = good.headers.map(([name, value]): [string, string] =>
			name === 'Content-Type' ? [name, 'application/octet-stream'] : [name, value],
		);
		await trigger.accepts({ ...good, headers });
	});

	test('The trigger is not published without a webhook secret', async () => {
		const credential = await createCredential(rest, 'No secret');
		const nodes = [triggerNode(credential)];
		const workflow = await rest.createWorkflow(chain('No secret', nodes));
		await assert.rejects(publish(rest, workflow), /has no webhook secret/);
	});

	test('Reads: Get, Get Guest Link, Share > Get', async () => {
		const requestId = String(created._id);
		const request = { resource: 'collectionRequest', requestId };
		assert.equal((await run({ ...request, operation: 'get' })).shareStatus, 'completed');
		const link = await run({ ...request, operation: 'getGuestLink' });
		assert.deepEqual(link, { requestId, guestLink: created.guestLink });
		const read = { resource: 'share', operation: 'get', shareBy: 'requestId', simplify: true };
		const share = await run({ ...read, requestId });
		assert.match(JSON.stringify(share.answers), /Seestrasse 2/);
	});

	test('100 notifications at once: each is answered, each 200 has its execution', async () => {
		const earlier = await countExecutions(rest, trigger.workflow.id);
		const deliveries = Array.from({ length: 100 }, () => trigger.good());
		const answers = await Promise.all(deliveries.map((delivery) => send(trigger.url, delivery)));
		const accepted = answers.filter(({ text }) => text === '{"status":"accepted"}');
		assert.equal(accepted.length, 100, answers.find(({ status }) => status !== 200)?.text);
		assert.equal(await countExecutions(rest, trigger.workflow.id), earlier + 100);
	});
});
