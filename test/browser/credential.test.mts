import { actionType, credentialType } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { until } from '../../sandbox/shared/until.mts';
import { openNode, sharedPage, openRoute } from '../support/browser.mts';
import { newSecret, removeCredentials } from '../support/credential.mts';
import { signed } from '../support/delivery.mts';
import { rest, service } from '../support/environment.mts';
import { KEYS } from '../support/service/api.mts';
import { follow } from '../support/trigger.mts';
import { chain, manualNode, node, triggerNode } from '../support/workflows.mts';

const page = sharedPage();

test('the dialog refuses a wrong key with our words, and keeps the line breaks of secrets', async () => {
	const [secret, ...previous] = [newSecret(), newSecret(), newSecret()] as [string, ...string[]];
	await removeCredentials();
	const parameters = { resource: 'collectionRequest', operation: 'get', requestId: 'any' };
	const nodes = [manualNode(), node('Get', actionType, 1.1, parameters)];
	const { id } = await rest.createWorkflow(chain('Browser credential', nodes));
	await openRoute(`/workflow/${id}`);
	await openNode('Get');

	const dialog = page.getByTestId('editCredential-modal');
	const field = (name: string) =>
		dialog.getByTestId(`parameter-input-${name}`).getByTestId('parameter-input-field');
	/** n8n tests a credential when it saves it, and closes the dialog if there is no problem. */
	const save = () => page.getByTestId('credential-save-button').click();

	// A wrong key.
	await page.getByTestId('node-credentials-empty-state').getByRole('button').click();
	await field('productionBaseUrl').fill(service.url);
	await field('productionCollectUrl').fill(service.url);
	await field('apiKey').fill('not-the-key');
	await field('tokenId').fill(KEYS.tokenId);
	await field('webhookSecret').fill(secret);
	// As a person would, with the clipboard and the keyboard.
	const lines = previous.join('\n');
	await field('previousWebhookSecrets').click();
	await page.evaluate((copied) => navigator.clipboard.writeText(copied), lines);
	await page.keyboard.press('ControlOrMeta+V');
	expect(await field('previousWebhookSecrets').inputValue()).toBe(lines);
	await save();
	const more = dialog.getByText('More details');
	await more.click();
	await more.waitFor({ state: 'hidden' });
	const said = await page.getByTestId('node-credentials-config-container').innerText();
	expect(said).toMatch(/The API key or the token ID was refused/);

	// The right key.
	await field('apiKey').fill(KEYS.apiKey);
	await save();
	await dialog.waitFor({ state: 'hidden' });
	// n8n tests the credential as soon as it is opened.
	await page.getByTestId('credential-edit-button').click();
	const passed = page.getByTestId('credentials-config-container-test-success');
	await passed.getByText('Connection tested successfully').waitFor();

	// Something else is saved, while the editor shows dots in place of the secrets.
	await field('previousWebhookSecrets').scrollIntoViewIfNeeded();
	const shown = await field('previousWebhookSecrets').inputValue();
	expect(previous.filter((one) => shown.includes(one))).toEqual([]);
	await field('productionCollectUrl').fill(`${service.url}/collect`);
	await save();
	const stored = await until('n8n has stored the other address', async () => {
		const ours = (await rest.listCredentials()).find(({ type }) => type === credentialType);
		const credential = await rest.getCredential(ours?.id ?? '');
		const isNew = credential.data?.productionCollectUrl === `${service.url}/collect`;
		return isNew ? credential : undefined;
	});
	await page.keyboard.press('Escape');
	await dialog.waitFor({ state: 'hidden' });
	// Every secret verifies a notification, so n8n has stored each one as it was entered.
	const workflow = await rest.createWorkflow(chain('Browser credential', [triggerNode(stored)]));
	const trigger = follow(await publish(rest, workflow), stored, secret);
	for (const one of [secret, ...previous]) await trigger.accepts(signed({ secret: one }));
}, 120_000);
