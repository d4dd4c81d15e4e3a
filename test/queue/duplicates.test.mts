import type { Delivery } from '../support/delivery.mts';
import { environment } from '../support/environment.mts';
import { send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';

const trigger = await createTrigger({ name: 'Queue duplicates' });
const direct = environment.queue?.atEachProcess(trigger.url) ?? [];

/** Sends to all addresses at once; returns how many were accepted: the rest are duplicates. */
const sendToAll = async (delivery: Delivery, urls: string[]) => {
	const responses = await Promise.all(urls.map((url) => send(url, delivery)));
	const others = responses.filter((response) => response !== '200 accepted');
	expect(others).toStrictEqual(others.map(() => '200 duplicate'));
	const accepted = responses.length - others.length;
	await trigger.assertCount(accepted);
	return accepted;
};

test('50 at once through the load balancer: one execution for each process at most', async () => {
	const accepted = await sendToAll(trigger.good(), Array<string>(50).fill(trigger.url));
	expect([1, 2]).toContain(accepted);
});

test('at each process, 20 at once start one execution, and the same later none', async () => {
	const delivery = trigger.good();
	expect(direct).toHaveLength(2);
	for (const url of direct) {
		expect(await sendToAll(delivery, Array<string>(20).fill(url))).toBe(1);
	}
	expect(await sendToAll(delivery, direct)).toBe(0);
});
