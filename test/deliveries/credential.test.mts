import { randomBytes } from 'node:crypto';
import { settled } from '../../sandbox/n8n/publish.mts';
import { assertAnswer } from '../support/answers.mts';
import { createCredential, credentialFields, newSecret } from '../support/credential.mts';
import { signed } from '../../sandbox/testing/delivery.mts';
import { rest } from '../support/environment.mts';
import { forbid } from '../support/forbidden.mts';
import { logEnd, logSince, waitForLog } from '../support/n8nLog.mts';
import { send } from '../../sandbox/testing/send.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { chain, triggerNode } from '../support/workflows.mts';

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
const unmatched = { logs: 'does not match the body with any webhook secret' };

describe('webhook secrets', () => {
	/** n8n evaluates a credential field that begins with `=` before any node sees it. */
	const computed = `computed-${hex(8)}`;
	test.each<[title: string, configured: string, signedWith?: string]>([
		['a secret that is not ASCII', `schlüssel-東京-😀-${hex(8)}`.normalize('NFC')],
		['a secret with spaces inside and around', `  two words ${hex(8)} `],
		['a secret like an expression, without =: literally', `{{ "literal-${hex(8)}" }}`],
		['a secret that is an expression: its value', `={{ "${computed}" }}`, computed],
	])('%s: accepted', async (title, configured, signedWith = configured) => {
		forbid(signedWith);
		const trigger = await createTrigger({ name: `Deliveries: ${title}`, secret: configured });
		await trigger.accepts(signed({ secret: signedWith }));
		await trigger.accepts(signed({ secret: signedWith }));
	});

	test('previous secrets count until they are removed', async () => {
		const previousSecrets = [newSecret(), newSecret(), newSecret()];
		const [oldest = '', ...newer] = previousSecrets;
		const trigger = await createTrigger({ name: 'Deliveries: previous secrets', previousSecrets });
		const { credential, secret } = trigger;
		for (const one of [...previousSecrets, secret]) await trigger.accepts(signed({ secret: one }));
		const fields = { webhookSecret: secret, previousWebhookSecrets: newer.join('\n') };
		await rest.updateCredential(credential, credentialFields(fields));
		await trigger.turns('accepted', 'unverified', () => signed({ secret: oldest }));
		for (const one of [...newer, secret]) await trigger.accepts(signed({ secret: one }));
		for (const one of [oldest, previousSecrets.join('\n')]) {
			await trigger.refuses(signed({ secret: one }), 'unverified', unmatched);
		}
	});

	test("a line added below the dots in the editor makes n8n's public text no secret", async () => {
		const trigger = await createTrigger({
			name: 'Deliveries: dots',
			previousSecrets: [newSecret()],
		});
		const { data } = await rest.getCredential(trigger.credential.id);
		const dots = String(data?.previousWebhookSecrets);
		expect(dots).toMatch(/^__n8n_BLANK_VALUE_/);
		const added = newSecret();
		forbid(added);
		const previousWebhookSecrets = `${dots}\n${added}`;
		await rest.updateCredential(trigger.credential, { ...data, previousWebhookSecrets });
		await trigger.refuses(signed({ secret: dots }), 'unverified', {
			logs: 'A webhook secret was lost when the credential was edited',
		});
		for (const secret of [added, trigger.secret]) await trigger.accepts(signed({ secret }));
	});
});

describe('a trigger that cannot verify', () => {
	/** A correctly signed delivery gets the constant 500 and starts nothing; the log says why. */
	const assertNotConfigured = async (trigger: Trigger, logs: string) => {
		const place = logEnd();
		assertAnswer(await send(trigger.url, trigger.good()), 'notConfigured');
		await waitForLog(place, logs);
		expect(logSince(place)).not.toMatch(/\n\s+at .*node_modules/);
		await trigger.assertCount();
	};

	test('the secret is emptied while published: 500, and 200 once it is back', async () => {
		const trigger = await createTrigger({ name: 'Deliveries: emptied secret' });
		const { credential, secret } = trigger;
		await trigger.accepts(trigger.good());
		await rest.updateCredential(credential, credentialFields({ webhookSecret: '' }));
		await trigger.turns('accepted', 'notConfigured');
		await assertNotConfigured(trigger, 'Not configured: The credential has no webhook secret');
		await rest.updateCredential(credential, credentialFields({ webhookSecret: secret }));
		await trigger.turns('notConfigured', 'accepted');
		await trigger.accepts(trigger.good());
	});

	test('the credential is deleted while published: 500', async () => {
		const trigger = await createTrigger({ name: 'Deliveries: deleted credential' });
		await trigger.accepts(trigger.good());
		await rest.send('DELETE', `/rest/credentials/${trigger.credential.id}`);
		await trigger.turns('accepted', 'notConfigured');
		await assertNotConfigured(trigger, 'Delivery not handled');
	});

	test('publishing with an empty secret fails and says why', async () => {
		const credential = await createCredential('Deliveries: empty secret');
		const created = await rest.createWorkflow(
			chain('Deliveries: empty secret', [triggerNode(credential)]),
		);
		await rest.activate(created);
		const { status, triggers } = await settled(rest, created);
		expect(status).toBe('failed');
		expect(triggers[0]?.errorMessage ?? '').toMatch(/no webhook secret/);
		await rest.deactivate(created.id);
	});

	test('n8n refuses to publish a trigger without a credential', async () => {
		const trigger = triggerNode({ id: 'none', name: 'none', type: '' });
		delete trigger.credentials;
		const created = await rest.createWorkflow(chain('Deliveries: no credential', [trigger]));
		await expect(rest.activate(created)).rejects.toThrow(/Missing required credential/);
	});
});
