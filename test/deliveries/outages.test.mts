import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startOwnN8n } from '../support/n8n.mts';
import { userFolder } from '../support/environment.mts';
import { send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';

/** A separate n8n: these tests lock its database. */
const n8n = await startOwnN8n(path.join(userFolder, 'outages'));
afterAll(() => n8n.stop());
const trigger = await createTrigger({ rest: n8n.rest, at: n8n.url, name: 'Deliveries: outages' });

const file = path.join(n8n.folder, '.n8n', 'database.sqlite');
const database = new DatabaseSync(file, { timeout: 10_000 });
afterAll(() => database.close());

/** Does some work while n8n cannot write: what it tries to store fails after a second. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
	database.exec('BEGIN IMMEDIATE');
	try {
		return await work();
	} finally {
		database.exec('ROLLBACK');
	}
}

for (const [title, count] of [
	['n8n cannot store the execution: its 500 makes the repetition no duplicate', 1],
	['two at once that both fail: the third starts it, once', 2],
] as const) {
	test(title, async () => {
		const delivery = trigger.good();
		const sendAll = () =>
			Promise.all(Array.from({ length: count }, () => send(trigger.url, delivery)));
		const answers = await whileLocked(sendAll);
		// n8n's own response.
		for (const { status } of answers) expect(status).toBe(500);
		await trigger.assertCount();
		await trigger.accepts(delivery);
		await trigger.refuses(delivery, 'duplicate');
	});
}
