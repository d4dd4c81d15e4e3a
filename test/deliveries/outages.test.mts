import assert from 'node:assert/strict';
import { whileLocked } from '../support/database.mts';
import { assertOwnAnswer } from '../support/n8nAnswers.mts';
import { startOwnN8n, type OwnN8n } from '../support/ownN8n.mts';
import { send } from '../support/send.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';

/** In an n8n of its own, whose database gets locked and which gets killed. */
describe('deliveries that n8n itself cannot take', () => {
	let n8n: OwnN8n;
	let trigger: Trigger;
	beforeAll(async () => {
		n8n = await startOwnN8n('own-outages');
		trigger = await createTrigger({ rest: n8n.rest, at: n8n.url, name: 'E2E outages' });
		await trigger.accepts(trigger.good());
	});
	afterAll(() => n8n.stop());

	test('W60 n8n cannot store the execution: its 500 makes the repetition no duplicate', async () => {
		const delivery = trigger.good();
		const answer = await whileLocked(n8n.folder, () => send(trigger.url, delivery));
		assertOwnAnswer(answer, 'notStored');
		await trigger.assertCount();
		await trigger.accepts(delivery);
		await trigger.refuses(delivery, 'duplicate');
	});

	test('W60 two at once that both fail: the third starts it, once', async () => {
		const delivery = trigger.good();
		const answers = await whileLocked(n8n.folder, () =>
			Promise.all([send(trigger.url, delivery), send(trigger.url, delivery)]),
		);
		for (const answer of answers) assertOwnAnswer(answer, 'notStored');
		await trigger.assertCount();
		await trigger.accepts(delivery);
		await trigger.refuses(delivery, 'duplicate');
	});

	// The memory is that of the process: README.md promises at least once, and once while it runs.
	test('W61 n8n is killed and started again: a repetition starts once more, then no more', async () => {
		const delivery = trigger.good();
		await trigger.accepts(delivery);
		await trigger.refuses(delivery, 'duplicate');
		await n8n.kill();
		const during = trigger.good();
		await assert.rejects(send(trigger.url, during), /ECONNREFUSED/);
		await n8n.start();
		await trigger.assertCount();
		for (const repeated of [delivery, during]) {
			await trigger.accepts(repeated);
			await trigger.refuses(repeated, 'duplicate');
		}
	});
});
