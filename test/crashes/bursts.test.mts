import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import { newId, payload, signed, withHeader } from '../support/delivery.mts';
import { userFolder } from '../support/environment.mts';
import { allExecutions } from '../support/executions.mts';
import { startOwnN8n } from '../support/n8n.mts';
import { during, queue, type Victim } from '../support/queue.mts';
import { send } from '../support/send.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { until } from '../support/until.mts';

const size = 60;

/** Sends a notification until it is confirmed; resolves to how many POSTs were not. */
async function deliver(trigger: Trigger, requestId: string, onPost: () => void): Promise<number> {
	// The same signed bytes each time, which is hardest on a receiver.
	const delivery = signed({ secret: trigger.secret, body: payload({ requestId }) });
	for (let unconfirmed = 0; ; unconfirmed += 1) {
		const sent = withHeader(delivery, 'X-SVC-Delivery-Id', newId());
		const answer = await send(trigger.url, sent, 5_000).catch(() => undefined);
		onPost();
		if (/"(accepted|duplicate)"/.test(answer?.text ?? '')) return unconfirmed;
		await sleep(250);
	}
}

/** Kills in the middle of a burst; resolves to the notifications that were lost or doubled. */
async function killAmid(trigger: Trigger, victim: Victim, victims?: Victim[]) {
	let posts = 0;
	const ids = Array.from({ length: size }, newId);
	const sending = pMap(ids, (id) => deliver(trigger, id, () => void (posts += 1)), {
		concurrency: 10,
	});
	await until('a third of the POSTs', () => posts > size / 3);
	await victim.kill();
	const unconfirmed = await during(sending, victims);
	expect(posts).toBeGreaterThan(size);
	const all = await allExecutions(trigger.workflow.id, trigger.rest);
	const stored = all.map(({ data }) => JSON.stringify(data));
	const started = ids.map((id) => stored.filter((text) => text.includes(id)).length);
	return {
		lost: ids.filter((_id, index) => started[index] === 0),
		// A POST without a response may have started an execution all the same.
		doubled: ids.filter((_id, index) => (started[index] ?? 0) > (unconfirmed[index] ?? 0) + 1),
	};
}
const harmless = { lost: [], doubled: [] };

test('the only process of n8n dies in a burst of notifications: none is lost, none handled twice', async () => {
	const n8n = await startOwnN8n(path.join(userFolder, 'one'));
	const trigger = await createTrigger({
		rest: n8n.rest,
		at: n8n.url,
		name: 'Crashes: one process',
	});
	expect(await killAmid(trigger, n8n, [n8n])).toStrictEqual(harmless);
	await n8n.stop();
});

test('a webhook process dies in a burst of notifications: none is lost, none handled twice', async () => {
	const trigger = await createTrigger({ name: 'Crashes: webhook process' });
	const [webhook] = queue.webhooks;
	expect(await killAmid(trigger, webhook!)).toStrictEqual(harmless);
});
