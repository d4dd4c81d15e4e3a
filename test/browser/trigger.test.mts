import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { assertDrawn, canvasNode, openNode, sharedPage } from '../support/browser.mts';
import { openRoute, output, tableWith } from '../support/browser.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { n8nUrl, rest, service } from '../support/environment.mts';
import { chain, triggerName, triggerNode } from '../support/workflows.mts';

const page = sharedPage();

test('the panel shows both URLs, listens for a test event and shows the notification', async () => {
	const webhookSecret = newSecret();
	const credential = await createCredential('Browser trigger', { webhookSecret });
	const node = triggerNode(credential, { triggerOn: 'completed' });
	const workflow = await rest.createWorkflow(chain('Browser trigger', [node]));
	const url = triggerUrl(n8nUrl, workflow);
	const testUrl = url.replace('/webhook/', '/webhook-test/');
	await openRoute(`/workflow/${workflow.id}`);
	await assertDrawn(canvasNode(triggerName).locator('img').first());
	await openNode(triggerName);
	const panel = page.getByTestId('ndv');
	await panel.getByText('Webhook URLs', { exact: true }).click();
	await panel.getByText(testUrl).waitFor();
	await panel.getByText('Production URL', { exact: true }).click();
	await panel.getByText(url).waitFor();

	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('trigger-listening').waitFor();
	await panel.getByText('copy the Production URL').waitFor();
	const id = service.create({ webhookUrl: testUrl, webhookSecret });
	service.complete(id);
	await output.getByTestId('ndv-items-count').waitFor();
	await tableWith(`${service.url}/request/${id}`);
}, 120_000);
