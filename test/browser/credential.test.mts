import assert from 'node:assert/strict';
import { actionType, credentialType } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { serviceCredential } from '../../sandbox/service/credential.mts';
import { openNode, openPage, openWorkflow } from '../support/browser.mts';
import { newSecret, removeCredentials } from '../support/credential.mts';
import { signed } from '../support/delivery.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { inOrder } from '../support/inOrder.mts';
import { follow } from '../support/trigger.mts';
import { until } from '../support/until.mts';
import { chain, manualNode, node, triggerNode } from '../support/workflows.mts';

const nodeName = 'Get';
const secrets = { current: newSecret(), previous: [newSecret(), newSecret()] };

const page = await openPage();
const step = inOrder();
const dialog = page.getByTestId('editCredential-modal');

/** A field of the open dialog, by its name in the credential. */
const field = (name: string) =>
	dialog.getByTestId(`parameter-input-${name}`).getByTestId('parameter-input-field');
const fill = async (fields: Record<string, string>) => {
	for (const [name, value] of Object.entries(fields)) await field(name).fill(value);
};
/** n8n tests a credential when it saves it, and closes the dialog if there is no problem. */
const save = () => page.getByTestId('credential-save-button').click();

const credentials = async () =>
	(await rest.listCredentials()).filter(({ type }) => type === credentialType);

beforeAll(async () => {
	await removeCredentials();
	const parameters = { resource: 'collectionRequest', operation: 'get', requestId: 'any' };
	const nodes = [manualNode(), node(nodeName, actionType, 1, parameters)];
	const { id } = await rest.createWorkflow(chain('Browser credential', nodes));
	await openWorkflow(page, id);
	await openNode(page, nodeName);
});

step('a wrong key is refused with the words of the package', async () => {
	await page.getByTestId('node-credentials-empty-state').getByRole('button').click();
	await field('apiKey').waitFor();
	await fill({
		productionBaseUrl: serviceUrl,
		productionCollectUrl: serviceUrl,
		apiKey: 'not-the-key',
		tokenId: serviceCredential.tokenId,
		webhookSecret: secrets.current,
	});
	// As a person would, with the clipboard and the keyboard.
	const lines = secrets.previous.join('\n');
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
});

step('the right key is accepted', async () => {
	await fill({ apiKey: serviceCredential.apiKey });
	await save();
	await dialog.waitFor({ state: 'hidden' });
	// n8n tests the credential as soon as it is opened.
	await page.getByTestId('credential-edit-button').click();
	const passed = page.getByTestId('credentials-config-container-test-success');
	await passed.getByText('Connection tested successfully').waitFor();
});

step(
	'the line breaks of the previous secrets are kept, also when something else is saved',
	async () => {
		const [stored] = await credentials();
		assert.ok(stored);
		await field('previousWebhookSecrets').scrollIntoViewIfNeeded();
		const shown = await field('previousWebhookSecrets').inputValue();
		for (const secret of secrets.previous) assert.ok(!shown.includes(secret));
		const productionCollectUrl = `${serviceUrl}/collect`;
		await fill({ productionCollectUrl });
		await save();
		await until('n8n has stored the other address', async () => {
			const { data } = await rest.getCredential(stored.id);
			return data?.productionCollectUrl === productionCollectUrl;
		});
		// Every secret verifies a notification, so n8n has stored each one as it was entered.
		const workflow = chain('Browser credential', [triggerNode(stored)]);
		const published = await publish(rest, await rest.createWorkflow(workflow));
		const trigger = follow(rest, published, stored, secrets.current);
		for (const secret of [secrets.current, ...secrets.previous]) {
			await trigger.accepts(signed({ secret }));
		}
	},
);
