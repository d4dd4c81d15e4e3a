import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from '../../sandbox/shared/until.mts';
import { forbid, newSecret } from '../support/credential.mts';
import { signed } from '../support/delivery.mts';
import { rest, userFolder } from '../support/environment.mts';
import { matching } from '../support/matchers.mts';
import { send } from '../support/send.mts';
import { createTrigger, logFromNow } from '../support/trigger.mts';

// What n8n's database does to a delivery: when it cannot store the execution, and what it has stored
// as the credential.

test.each([
	['with spaces in it', 'two words,  and 16 characters', 'two words,  and 16 characters'],
	['of an expression', '={{ "computed-" + "from-two-texts" }}', 'computed-from-two-texts'],
])('a webhook secret %s is stored as it was entered', async (title, entered, secret) => {
	forbid(secret);
	const trigger = await createTrigger({ name: `Deliveries: secret ${title}`, secret: entered });
	await trigger.accepts(signed({ secret }));
});

test("a line added below the dots in the editor makes n8n's public text no secret", async () => {
	const previousSecrets = [newSecret()];
	const trigger = await createTrigger({ name: 'Deliveries: dots', previousSecrets });
	const { data } = await rest.getCredential(trigger.credential.id);
	const dots = String(data?.previousWebhookSecrets);
	expect(dots).toMatch(/^__n8n_BLANK_VALUE_/);
	const added = newSecret();
	forbid(added);
	const previousWebhookSecrets = `${dots}\n${added}`;
	await rest.updateCredential(trigger.credential, { ...data, previousWebhookSecrets });
	const logs = 'A webhook secret was lost when the credential was edited';
	await trigger.refuses(signed({ secret: dots }), '401 unverified', logs);
	for (const secret of [added, trigger.secret]) await trigger.accepts(signed({ secret }));
});

test('a credential that is deleted while the workflow is published: 500, and the log says so', async () => {
	const trigger = await createTrigger({ name: 'Deliveries: deleted credential' });
	await rest.send('DELETE', `/rest/credentials/${trigger.credential.id}`);
	const logged = logFromNow();
	// The trigger may remember a credential for two seconds.
	const refusal = await until('the trigger notices', async () => {
		const response = await send(trigger.url, trigger.good());
		return response === '200 accepted' ? undefined : response;
	});
	expect(refusal).toBe('500 not configured');
	await logged('Not configured: ');
});

// At the end, as nothing else can be stored meanwhile.
test('two at once that n8n cannot store get 500, and the same once more starts one execution', async () => {
	const trigger = await createTrigger({ name: 'Deliveries: outages' });
	const database = new DatabaseSync(path.join(userFolder, '.n8n', 'database.sqlite'));
	const delivery = trigger.good();
	// What n8n tries to store fails after a second.
	database.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
	const responses = await Promise.all([1, 2].map(() => send(trigger.url, delivery)));
	database.exec('ROLLBACK');
	database.close();
	expect(responses).toEqual([matching(/^500 /), matching(/^500 /)]);
	await trigger.assertCount();
	await trigger.accepts(delivery);
	await trigger.refuses(delivery, '200 duplicate');
});
