import { actionType, credentialType, triggerType } from '../../sandbox/n8n/examples.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { createCredential } from '../support/credential.mts';
import { logSince } from '../support/n8nLog.mts';
import { rest } from '../support/environment.mts';
import { isBefore } from '../support/versions.mts';

test('Both nodes and the credential are loaded', async () => {
	const names = (await rest.nodeTypes()).map(({ name }) => name);
	expect(names).toContain(actionType);
	expect(names).toContain(triggerType);
	// n8n generates the tool, for its AI Agent.
	expect(names).toContain(`${actionType}Tool`);
	const types = await rest.send<Json[]>('GET', '/types/credentials.json');
	expect(types.map(({ name }) => name)).toContain(credentialType);
});

test('n8n logs no warning about the package', () => {
	const warned = logSince(0)
		.split('\n')
		.filter(
			(line) =>
				(line.includes(packageName) && /warn|error|fail/i.test(line)) ||
				/could not be (found|loaded)/i.test(line),
		);
	expect(warned).toStrictEqual([]);
});

test('Credential: saved, and its test passes', async () => {
	const credential = await createCredential('Right key');
	expect(await rest.testCredential(credential)).toMatchObject({ status: 'OK' });
});

test('Credential: the test of a wrong key says so', async () => {
	const credential = await createCredential('Wrong key', { apiKey: 'a-wrong-api-key' });
	const { status, message } = await rest.testCredential(credential);
	if (await isBefore(2, 9)) {
		// These versions take any response for a success.
		expect(status).toBe('OK');
		return;
	}
	expect(status).toBe('Error');
	expect(message).toMatch(/^(The API key or the token ID was refused\.|Authorization failed)/);
});
