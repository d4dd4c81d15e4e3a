import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { credentialFields, newSecret } from '../support/credential.mts';
import { signed, withHeader } from '../support/delivery.mts';
import { openRest } from '../support/environment.mts';
import { forbid } from '../support/leaks.mts';
import { createTrigger } from '../support/trigger.mts';

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
const computed = `computed-${hex(8)}`;

/** n8n evaluates a credential field that begins with `=` before any node sees it. */
const secrets: Array<[title: string, configured: string, signedWith?: string]> = [
	['W44 a secret that is not ASCII', `schlüssel-東京-😀-${hex(8)}`.normalize('NFC')],
	['W45 a secret of 1 byte', '7'],
	['W45 a secret of 64 bytes', hex(32)],
	['W45 a secret of 65 bytes', `${hex(32)}x`],
	['W45 a secret of 200 bytes', hex(100)],
	['W45 a secret with spaces inside and around', `  two words ${hex(8)} `],
	['W45 a secret like a hex number', `0x${hex(16)}`],
	['W45 a secret like an expression, without =: literally', `{{ "literal-${hex(8)}" }}`],
	['W45 a secret that is an expression: its value', `={{ "${computed}" }}`, computed],
];

describe('webhook secrets', () => {
	const rest = openRest();

	for (const [title, configured, signedWith = configured] of secrets) {
		test(`${title}: accepted`, async () => {
			forbid(signedWith);
			const trigger = await createTrigger({ rest, name: `E2E ${title}`, secret: configured });
			for (let count = 0; count < 2; count += 1) {
				await trigger.accepts(signed({ secret: signedWith }));
			}
		});
	}

	test('W44 composed and decomposed letters are different secrets: refused', async () => {
		const secret = `schlüssel-${hex(8)}`.normalize('NFD');
		const trigger = await createTrigger({ rest, name: 'E2E W44 NFD', secret });
		await trigger.refuses(signed({ secret: secret.normalize('NFC') }), 'unverified', {
			logs: 'does not match the body with any webhook secret',
		});
	});

	test('a delivery ID that repeats a secret: hidden in the item', async () => {
		const secret = `${newSecret()}/&x`;
		const trigger = await createTrigger({ rest, name: 'E2E delivery ID', secret });
		for (const id of [`id-${secret}-1`, `id-${encodeURIComponent(secret)}-1`]) {
			const delivery = withHeader(trigger.good(), 'X-SVC-Delivery-Id', id);
			assert.equal((await trigger.accepts(delivery)).deliveryId, 'id-(hidden)-1');
		}
	});

	test('W46 previous secrets count until they are removed', async () => {
		const secret = newSecret();
		const previousSecrets = [newSecret(), newSecret(), newSecret()];
		const [oldest = '', ...newer] = previousSecrets;
		const trigger = await createTrigger({ rest, name: 'E2E W46', secret, previousSecrets });
		for (const one of [...previousSecrets, secret]) await trigger.accepts(signed({ secret: one }));
		const previousWebhookSecrets = newer.join('\n');
		const fields = credentialFields({ webhookSecret: secret, previousWebhookSecrets });
		await rest.updateCredential(trigger.credential, fields);
		await trigger.turns('accepted', 'unverified', () => signed({ secret: oldest }));
		for (const one of [...newer, secret]) await trigger.accepts(signed({ secret: one }));
		await trigger.refuses(signed({ secret: oldest }), 'unverified', {
			logs: 'does not match the body with any webhook secret',
		});
		await trigger.refuses(signed({ secret: previousSecrets.join('\n') }), 'unverified', {
			logs: 'does not match the body with any webhook secret',
		});
	});

	test('W46 saving the credential as the editor does keeps the lines of the previous secrets', async () => {
		const previousSecrets = [newSecret(), newSecret()];
		const trigger = await createTrigger({ rest, name: 'E2E W46 lines', previousSecrets });
		const { data } = await rest.getCredential(trigger.credential.id);
		assert.ok(data);
		for (const secret of previousSecrets) assert.doesNotMatch(JSON.stringify(data), RegExp(secret));
		await rest.updateCredential(trigger.credential, data);
		for (const secret of [...previousSecrets, trigger.secret]) {
			await trigger.accepts(signed({ secret }));
		}
	});

	test("a line added below the dots in the editor makes n8n's public text no secret", async () => {
		const trigger = await createTrigger({ rest, name: 'E2E dots', previousSecrets: [newSecret()] });
		const { data } = await rest.getCredential(trigger.credential.id);
		const dots = String(data?.previousWebhookSecrets);
		assert.match(dots, /^__n8n_BLANK_VALUE_/);
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
