import { assertAnswer } from '../support/answers.mts';
import { whileLocked } from '../support/database.mts';
import { startOwnN8n } from '../support/ownServers.mts';
import { send } from '../../sandbox/testing/send.mts';
import { createTrigger } from '../support/trigger.mts';

/** A separate n8n: these tests lock its database and kill it. */
const n8n = await startOwnN8n('own-outages');
afterAll(() => n8n.stop());
const trigger = await createTrigger({ rest: n8n.rest, at: n8n.url, name: 'Deliveries: outages' });

for (const [title, count] of [
	['n8n cannot store the execution: its 500 makes the repetition no duplicate', 1],
	['two at once that both fail: the third starts it, once', 2],
] as const) {
	test(title, async () => {
		const delivery = trigger.good();
		const sendAll = () =>
			Promise.all(Array.from({ length: count }, () => send(trigger.url, delivery)));
		const answers = await whileLocked(n8n.folder, sendAll);
		for (const answer of answers) assertAnswer(answer, 'notStored');
		await trigger.assertCount();
		await trigger.accepts(delivery);
		await trigger.refuses(delivery, 'duplicate');
	});
}

// The memory lasts as long as the process: docs/trigger.md promises "at least once", and "once" while it runs.
test('n8n is killed and started again: a repetition starts once more, then no more', async () => {
	const delivery = trigger.good();
	await trigger.accepts(delivery);
	await trigger.refuses(delivery, 'duplicate');
	await n8n.kill();
	const during = trigger.good();
	await expect(send(trigger.url, during)).rejects.toThrow(/ECONNREFUSED/);
	await n8n.start();
	await trigger.assertCount();
	for (const repeated of [delivery, during]) {
		await trigger.accepts(repeated);
		await trigger.refuses(repeated, 'duplicate');
	}
});
