import assert from 'node:assert/strict';
import { ensureCredentials } from '../../sandbox/n8n/credentials.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { serviceCredential } from '../../sandbox/shared/service.mts';
import { newSecret } from '../support/credential.mts';
import { openRest, serviceUrl } from '../support/environment.mts';
import { forbid } from '../support/leaks.mts';
import { answered, complete, createRequest, forge, redeliver } from '../support/sandboxService.mts';
import type { SentDelivery } from '../support/sandboxService.mts';
import { createTrigger } from '../support/trigger.mts';

const rest = openRest();

const outcomeOf = ({ kind, statusCode, answer }: SentDelivery) => [kind, statusCode, answer];
const accepted = '{"status":"accepted"}';

test('deliveries of the console: "open" and "completed" start once each, a forgery and an exact replay nothing, one signed anew again', async () => {
	const trigger = await createTrigger({ name: 'E2E console' });
	const { url: webhookUrl, secret: webhookSecret } = trigger;
	const requestId = await createRequest({ webhookUrl, webhookSecret });
	await complete(requestId);
	const sent = [await answered(requestId, 'open'), await answered(requestId, 'completed')];
	for (const one of sent) assert.deepEqual(outcomeOf(one), ['notification', 200, accepted]);
	await trigger.assertCount(2);

	const forged = outcomeOf(await forge(requestId));
	assert.deepEqual(forged, ['forged', 401, '{"status":"unverified"}']);
	for (const { id } of sent) {
		const replayed = outcomeOf(await redeliver(id, true));
		assert.deepEqual(replayed, ['redelivery', 200, '{"status":"duplicate"}']);
	}
	await trigger.assertCount();
	const again = outcomeOf(await redeliver(sent[0]?.id ?? '', false));
	assert.deepEqual(again, ['redelivery', 200, accepted]);
	await trigger.assertCount(1);
});

test("the sandbox's credential works for staging as it was made, and for production with its keys alone", async () => {
	const production = {
		apiKey: 'sandbox-production-api-key',
		tokenId: 'sandbox-production-token-id',
	};
	const webhookSecret = newSecret();
	forbid(webhookSecret, ...Object.values(production));
	const service = { url: serviceUrl, ...serviceCredential };
	const notes = { webhookSecret, workflowIds: {} };
	const made = await ensureCredentials(rest, notes, { service, smtpPort: 9 });
	const credential = made.dataCollection;
	const statusWith = async (changes: Json) => {
		const { data } = await rest.getCredential(credential.id);
		await rest.updateCredential(credential, { ...data, ...changes });
		return await rest.testCredential(credential);
	};

	assert.equal((await rest.testCredential(credential)).status, 'OK');
	const { status, message } = await statusWith({ environment: 'production' });
	assert.equal(status, 'Error');
	assert.match(message, /was refused. Check both, and that Environment is the one/);
	assert.equal((await statusWith(production)).status, 'OK');
	assert.equal((await statusWith({ environment: 'staging' })).status, 'Error');
	assert.equal((await statusWith({ ...serviceCredential })).status, 'OK');
});
