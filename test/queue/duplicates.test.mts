import assert from 'node:assert/strict';
import type { Delivery } from '../support/delivery.mts';
import { outcomeOf, send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { at, queue } from '../support/queue.mts';

const trigger = await createTrigger({ name: 'Queue duplicates' });
const { webhooks } = queue;

/** Sends to all addresses at once; returns how many were accepted: the rest are duplicates. */
const sendToAll = async (delivery: Delivery, urls: string[]) => {
	const answers = await Promise.all(urls.map((url) => send(url, delivery)));
	const others = answers.map(outcomeOf).filter((outcome) => outcome !== 'accepted');
	expect(others).toStrictEqual(Array(others.length).fill('duplicate'));
	const accepted = answers.length - others.length;
	await trigger.assertCount(accepted);
	return accepted;
};
const times = (count: number, url: string) => Array<string>(count).fill(url);

for (const count of [2, 50]) {
	test(`${count} at once through the load balancer: one execution for each process at most`, async () => {
		const accepted = await sendToAll(trigger.good(), times(count, trigger.url));
		assert.ok(accepted >= 1 && accepted <= webhooks.length, `${accepted} executions`);
	});
}

test('20 at once to the same process: exactly one execution', async () => {
	for (const webhook of webhooks) {
		const direct = at(webhook, trigger.url);
		expect(await sendToAll(trigger.good(), times(20, direct))).toBe(1);
	}
});

test('a repetition later: once more at the other process, and then nowhere', async () => {
	const delivery = trigger.good();
	const urls = webhooks.map((webhook) => at(webhook, trigger.url));
	for (const url of urls) expect(await sendToAll(delivery, [url])).toBe(1);
	for (const url of urls) expect(await sendToAll(delivery, [url])).toBe(0);
});
