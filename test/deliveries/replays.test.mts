import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { assertAnswer } from '../support/answers.mts';
import { payload, signed, valueOf, withHeader } from '../support/delivery.mts';
import type { Delivery, Payload } from '../support/delivery.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { newestExecutions } from '../support/executions.mts';
import { send } from '../support/send.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { triggerName } from '../support/workflows.mts';

const deliveryId = 'X-SVC-Delivery-Id';

const repetitions: Array<[title: string, change: (first: Delivery) => Delivery]> = [
	['W53 exactly the same again', (first) => first],
	['W54 with another delivery ID', (first) => withHeader(first, deliveryId, randomUUID())],
	['W55 with another event header', (first) => withHeader(first, 'X-SVC-Event', 'share.deleted')],
];

describe('repeated deliveries', () => {
	let trigger: Trigger;
	let rest: N8nRest;
	beforeAll(async () => {
		rest = openRest();
		const parameters = { triggerOn: 'anyEvent' };
		trigger = await createTrigger({ rest, name: 'E2E replays', parameters });
	});

	for (const [title, change] of repetitions) {
		test(`${title}: a duplicate, nothing starts`, async () => {
			const first = trigger.good();
			await trigger.accepts(first);
			await trigger.refuses(change(first), 'duplicate');
			await trigger.refuses(change(first), 'duplicate');
		});
	}

	test('W56 the same delivery ID with another body: accepted, a notification of its own', async () => {
		const first = trigger.good();
		await trigger.accepts(first);
		const id = valueOf(first, deliveryId);
		const item = await trigger.accepts(withHeader(trigger.good(), deliveryId, id));
		assert.equal(item.deliveryId, id);
	});

	test('W57 the same payload signed anew, as a retry of the service would: accepted', async () => {
		const body = payload();
		const timestamp = String(Date.now() - 1000);
		await trigger.accepts(signed({ secret: trigger.secret, body, timestamp }));
		await trigger.accepts(signed({ secret: trigger.secret, body }));
	});

	for (const count of [2, 20, 50]) {
		test(`W58 ${count} identical deliveries at once: exactly one execution`, async () => {
			const delivery = trigger.good();
			const sent = Array.from({ length: count }, () => send(trigger.url, delivery));
			const answers = await Promise.all(sent);
			const texts = answers.map(({ text }) => text).sort();
			const [first, ...others] = answers.sort((a, b) => a.text.localeCompare(b.text));
			assert.ok(first, texts.join());
			assertAnswer(first, 'accepted');
			for (const other of others) assertAnswer(other, 'duplicate');
			await trigger.assertCount(1);
			await trigger.accepts(trigger.good());
		});
	}

	test('W59, W62 50 different deliveries at once: 50 executions; again: 50 duplicates', async () => {
		const bodies = Array.from({ length: 50 }, () => payload());
		const deliveries = bodies.map((body) => signed({ secret: trigger.secret, body }));
		const sendAll = () => Promise.all(deliveries.map((each) => send(trigger.url, each)));
		for (const answer of await sendAll()) assertAnswer(answer, 'accepted');
		await trigger.assertCount(50);
		const executions = await newestExecutions(rest, trigger.workflow.id, 50);
		const ids = executions.map((execution) => outputOf(execution, triggerName)[0]?.requestId);
		assert.deepEqual(ids.sort(), bodies.map(({ requestId }: Payload) => requestId).sort());
		for (const answer of await sendAll()) assertAnswer(answer, 'duplicate');
		await trigger.assertCount();
		await trigger.accepts(trigger.good());
	});

	test('W79 a delivery to two workflows with one credential: each starts once', async () => {
		const { secret } = trigger;
		const twin = await createTrigger({ rest, name: 'E2E replays, twin', secret });
		assert.notEqual(triggerUrl(n8nUrl, twin.workflow), trigger.url);
		const delivery = trigger.good();
		await trigger.accepts(delivery);
		await twin.accepts(delivery);
		await trigger.refuses(delivery, 'duplicate');
		await twin.refuses(delivery, 'duplicate');
	});
});
