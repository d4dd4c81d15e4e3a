import { randomBytes } from 'node:crypto';
import { settled } from '../../sandbox/n8n/publish.mts';
import { createCredential, forbid, newSecret } from '../support/credential.mts';
import { signed } from '../support/delivery.mts';
import { rest } from '../support/environment.mts';
import { logEnd, logSince, waitForLog } from '../support/n8nLog.mts';
import { assertAnswer, outcomeOf, send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { until } from '../support/until.mts';
import { chain, triggerNode } from '../support/workflows.mts';

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

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
		const logs = 'A webhook secret was lost when the credential was edited';
		await trigger.refuses(signed({ secret: dots }), 'unverified', logs);
		for (const secret of [added, trigger.secret]) await trigger.accepts(signed({ secret }));
	});
});

describe('a trigger that cannot verify', () => {
	test('the credential is deleted while published: 500', async () => {
		const trigger = await createTrigger({ name: 'Deliveries: deleted credential' });
		await trigger.accepts(trigger.good());
		await rest.send('DELETE', `/rest/credentials/${trigger.credential.id}`);
		const place = logEnd();
		// The trigger remembers a credential for two seconds.
		await until('the trigger notices', async () => {
			const answer = await send(trigger.url, trigger.good());
			if (outcomeOf(answer) !== 'accepted') return answer;
			await trigger.assertCount(1);
			return undefined;
		}).then((answer) => assertAnswer(answer, 'notConfigured'));
		await waitForLog(place, 'Not configured: ');
		expect(logSince(place)).not.toMatch(/\n\s+at .*node_modules/);
		await trigger.assertCount();
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
