import assert from 'node:assert/strict';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { Credential } from '../../sandbox/n8n/types.mts';
import { serviceCredential } from '../../sandbox/shared/service.mts';
import { newSecret } from '../support/credential.mts';
import { signed } from '../support/delivery.mts';
import { openRest, serviceUrl } from '../support/environment.mts';
import { follow } from '../support/trigger.mts';
import { until } from '../support/until.mts';
import { actionNode, chain, manualNode, triggerNode } from '../support/workflows.mts';
import { useBrowser } from './support/browser.mts';
import * as dialog from './support/credentialDialog.mts';
import { openNode, openWorkflow } from './support/editor.mts';
import { bothThemes } from './support/pictures.mts';

const nodeName = 'Get';
const secrets = { current: newSecret(), previous: [newSecret(), newSecret()] };

describe('the credential in the editor', () => {
	const rest = openRest();
	const browser = useBrowser();
	let stored: Credential;

	/** Every secret verifies a notification, so that n8n has kept each as it was entered. */
	async function assertSecretsKept(): Promise<void> {
		const workflow = chain('Browser credential', [triggerNode(stored)]);
		const published = await publish(rest, await rest.createWorkflow(workflow));
		const trigger = follow(rest, published, stored, secrets.current);
		for (const secret of [secrets.current, ...secrets.previous]) {
			const item = await trigger.accepts(signed({ secret }));
			assert.equal(item.shareStatus, 'completed');
		}
		await rest.deactivate(published.id);
	}

	beforeAll(async () => {
		for (const known of await rest.listCredentials()) {
			if (known.type === credentialType) await rest.send('DELETE', `/rest/credentials/${known.id}`);
		}
		const parameters = { resource: 'collectionRequest', operation: 'get', requestId: 'any' };
		const { credentials, ...node } = actionNode(
			nodeName,
			{ id: '', name: '', type: '' },
			parameters,
		);
		assert.ok(credentials);
		const workflow = await rest.createWorkflow(chain('Browser credential', [manualNode(), node]));
		await openWorkflow(browser.page, workflow.id);
		await openNode(browser.page, nodeName);
	});

	test('a wrong key is refused with the words of the package', async () => {
		const { page } = browser;
		await dialog.openNewCredential(page);
		await bothThemes(page, 'credential-empty');
		await dialog.fillCredential(page, {
			productionBaseUrl: serviceUrl,
			productionCollectUrl: serviceUrl,
			apiKey: 'not-the-key',
			tokenId: serviceCredential.tokenId,
			webhookSecret: secrets.current,
		});
		await dialog.pasteInto(page, 'previousWebhookSecrets', secrets.previous.join('\n'));
		const entered = await dialog.credentialField(page, 'previousWebhookSecrets').inputValue();
		assert.equal(entered, secrets.previous.join('\n'));
		await bothThemes(page, 'credential-secrets');
		await dialog.saveCredential(page);
		assert.match(await dialog.testFailed(page), /The API key or the token ID was refused/);
		await bothThemes(page, 'credential-refused');
	});

	test('the right key is accepted', async () => {
		const { page } = browser;
		await dialog.fillCredential(page, { apiKey: serviceCredential.apiKey });
		await dialog.saveCredential(page);
		await dialog.isClosed(page);
		await dialog.reopenCredential(page);
		assert.match(await dialog.testPassed(page), /Connection tested successfully/);
		await bothThemes(page, 'credential-accepted');
	});

	test('the line breaks of the previous secrets are kept', async () => {
		const known = await rest.listCredentials();
		stored = known.find(({ type }) => type === credentialType) as Credential;
		await assertSecretsKept();
	});

	test('they are kept as well when something else is saved later', async () => {
		const { page } = browser;
		const field = dialog.credentialField(page, 'previousWebhookSecrets');
		await field.scrollIntoViewIfNeeded();
		const shown = await field.inputValue();
		for (const secret of secrets.previous) assert.ok(!shown.includes(secret));
		await bothThemes(page, 'credential-reopened');
		const productionCollectUrl = `${serviceUrl}/collect`;
		await dialog.fillCredential(page, { productionCollectUrl });
		await dialog.saveCredential(page);
		await until('n8n has stored the other address', async () => {
			const { data } = await rest.getCredential(stored.id);
			return data?.productionCollectUrl === productionCollectUrl ? true : undefined;
		});
		await assertSecretsKept();
	});
});
