import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import {
	assertDrawn,
	canvasNode,
	openNode,
	openPage,
	openWorkflow,
	output,
	tableWith,
} from '../support/browser.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { n8nUrl, rest, serviceUrl } from '../support/environment.mts';
import { inOrder } from '../support/inOrder.mts';
import { complete, createRequest } from '../support/sandboxService.mts';
import { chain, triggerName, triggerNode } from '../support/workflows.mts';

const webhookSecret = newSecret();
const credential = await createCredential('Browser trigger', { webhookSecret });
const node = triggerNode(credential, { triggerOn: 'completed' });
const workflow = await rest.createWorkflow(chain('Browser trigger', [node]));
const url = triggerUrl(n8nUrl, workflow);
const testUrl = url.replace('/webhook/', '/webhook-test/');

const page = await openPage();
const step = inOrder();
const panel = page.getByTestId('ndv');
beforeAll(() => openWorkflow(page, workflow.id));

step('the panel shows the test URL and the production URL', async () => {
	await assertDrawn(canvasNode(page, triggerName).locator('img').first());
	await openNode(page, triggerName);
	await panel.getByText('Webhook URLs', { exact: true }).click();
	await panel.getByText(testUrl).waitFor();
	await panel.getByText('Production URL', { exact: true }).click();
	await panel.getByText(url).waitFor();
});

step('it listens for a test event and shows the notification', async () => {
	await page.getByTestId('node-execute-button').click();
	await panel.getByText('Stop Listening').first().waitFor();
	await page.getByTestId('trigger-listening').waitFor();
	await panel.getByText('copy the test URL from').waitFor();
	const id = await createRequest({ webhookUrl: testUrl, webhookSecret });
	await complete(id);
	await output(page).getByTestId('ndv-items-count').waitFor();
	await tableWith(page, `${serviceUrl}/request/${id}`);
});
