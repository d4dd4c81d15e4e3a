import assert from 'node:assert/strict';
import { assertAnswer } from '../support/answers.mts';
import { createCredential, credentialFields } from '../support/credential.mts';
import { signed } from '../support/delivery.mts';
import { spoilCredential } from '../support/database.mts';
import { openRest } from '../support/environment.mts';
import { logEnd, logSince, waitForLog } from '../support/n8nLog.mts';
import { failureToPublish } from '../support/publication.mts';
import { send } from '../support/send.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { chain, triggerNode } from '../support/workflows.mts';

/** A well-signed delivery gets the constant 500, starts nothing, and the log says why. */
async function assertNotConfigured(trigger: Trigger, logs: string): Promise<void> {
	const place = logEnd();
	assertAnswer(await send(trigger.url, trigger.good()), 'notConfigured');
	await waitForLog(place, logs);
	assert.doesNotMatch(logSince(place), /\n\s+at .*node_modules/, 'no stack in the log');
	await trigger.assertCount();
}

describe('a trigger that cannot verify', () => {
	const rest = openRest();

	test('W43 the secret is emptied while published: 500, and 200 once it is back', async () => {
		const trigger = await createTrigger({ rest, name: 'E2E W43 emptied' });
		const { credential, secret } = trigger;
		await trigger.accepts(trigger.good());
		await rest.updateCredential(credential, credentialFields({ webhookSecret: '' }));
		await trigger.turns('accepted', 'notConfigured');
		await assertNotConfigured(trigger, 'Not configured: the credential has no webhook secret');
		await rest.updateCredential(credential, credentialFields({ webhookSecret: secret }));
		await trigger.turns('notConfigured', 'accepted');
		await trigger.accepts(trigger.good());
	});

	test('W43 the credential is deleted while published: 500', async () => {
		const trigger = await createTrigger({ rest, name: 'E2E W43 deleted' });
		await trigger.accepts(trigger.good());
		await rest.send('DELETE', `/rest/credentials/${trigger.credential.id}`);
		await trigger.turns('accepted', 'notConfigured');
		await assertNotConfigured(trigger, 'Delivery not handled');
	});

	test('W43 publishing with an empty secret fails and says why', async () => {
		const credential = await createCredential(rest, 'E2E W43 empty');
		const created = await rest.createWorkflow(chain('E2E W43', [triggerNode(credential)]));
		assert.match(await failureToPublish(rest, created), /^failed: .*no webhook secret/);
		await rest.deactivate(created.id);
	});

	test('W43 n8n refuses to publish a trigger without a credential', async () => {
		const trigger = triggerNode({ id: 'none', name: 'none', type: '' });
		delete trigger.credentials;
		const created = await rest.createWorkflow(chain('E2E W43 none', [trigger]));
		await assert.rejects(rest.activate(created), /Missing required credential/);
	});

	test('W77 the credential cannot be decrypted: 500', async () => {
		const trigger = await createTrigger({ rest, name: 'E2E W77 undecryptable' });
		await trigger.accepts(trigger.good());
		spoilCredential(trigger.credential.id);
		await trigger.turns('accepted', 'notConfigured');
		await assertNotConfigured(trigger, 'Delivery not handled');
	});

	test('W77 an expression in Maximum Age cannot be read: 500', async () => {
		const parameters = { options: { maximumAge: '={{ ( }}' } };
		const trigger = await createTrigger({ rest, name: 'E2E W77 unreadable', parameters });
		await assertNotConfigured(trigger, 'Delivery not handled');
	});

	test('W77 an expression in Maximum Age gives nothing: 300 s count', async () => {
		const parameters = { options: { maximumAge: '={{ nothing.of.this.exists() }}' } };
		const trigger = await createTrigger({ rest, name: 'E2E W77 nothing', parameters });
		const { secret } = trigger;
		const at = (age: number) => signed({ secret, timestamp: String(Date.now() - age) });
		await trigger.accepts(at(299_000));
		await trigger.refuses(at(301_000), 'unverified', { logs: 'maximum age of 300 s' });
	});
});
