import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { openPage } from '../support/browser.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { canvasNode, closeNode, openNode, openWorkflow } from '../support/editor.mts';
import { assertDrawn, output, tableWith } from '../support/editor.mts';
import { n8nUrl, rest, serviceUrl } from '../support/environment.mts';
import { countExecutions, newestExecution, nodeName, runNode } from '../support/executions.mts';
import { answered, complete, createRequest } from '../support/sandboxService.mts';
import { chain, triggerName, triggerNode } from '../support/workflows.mts';

const webhookSecret = newSecret();
const credential = await createCredential('Browser trigger', { webhookSecret });
const node = triggerNode(credential, { triggerOn: 'completed' });
const workflow = await rest.createWorkflow(chain('Browser trigger', [node]));
const url = triggerUrl(n8nUrl, workflow);
const testUrl = url.replace('/webhook/', '/webhook-test/');

const page = await openPage();
const panel = page.getByTestId('ndv');
beforeAll(() => openWorkflow(page, workflow.id));

const listen = async () => {
	await page.getByTestId('node-execute-button').click();
	await panel.getByText('Stop Listening').first().waitFor();
};
const completeOne = async (webhookUrl: string) => {
	const id = await createRequest({ webhookUrl, webhookSecret });
	await complete(id);
	return id;
};

test('the panel shows the test URL and the production URL', async () => {
	await assertDrawn(canvasNode(page, triggerName).locator('img').first());
	await openNode(page, triggerName);
	await panel.getByText('Webhook URLs', { exact: true }).click();
	await panel.getByText(testUrl).waitFor();
	await panel.getByText('Production URL', { exact: true }).click();
	await panel.getByText(url).waitFor();
});

test('it listens for a test event and shows the notification', async () => {
	await listen();
	await page.getByTestId('trigger-listening').waitFor();
	await panel.getByText('copy the test URL from').waitFor();
	const id = await completeOne(testUrl);
	await output(page).getByTestId('ndv-items-count').waitFor();
	await tableWith(page, `${serviceUrl}/request/${id}`);
});

test('it listens again, and shows a test notification of another workflow', async () => {
	await listen();
	const execution = await runNode({
		...{ name: 'Browser test notification', credential },
		parameters: {
			...{ resource: 'notification', operation: 'sendTest' },
			...{ webhookUrl: testUrl, requestId: 'made-up', webhookIdentifier: 'trying' },
		},
	});
	const [sent = {}] = outputOf(execution, nodeName);
	expect(sent.statusCode).toBe(200);
	await tableWith(page, 'made-up');
});

test('published, a completed request starts one execution, which the list shows', async () => {
	await closeNode(page);
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	const published = page.getByTestId('activation-modal');
	await published.getByRole('button', { name: 'Got it' }).click();
	await page.getByTestId('workflow-active-version-indicator').waitFor();

	const id = await completeOne(url);
	const outcomeOf = async (status: string) => (await answered(id, status)).answer;
	expect(await outcomeOf('open')).toBe('{"status":"filtered"}');
	expect(await outcomeOf('completed')).toBe('{"status":"accepted"}');
	// The third: the two tests before started one each.
	const execution = await newestExecution(workflow.id, 3);
	expect(execution.mode).toBe('webhook');
	expect(await countExecutions(workflow.id)).toBe(3);
	await page.getByTestId('radio-button-executions').click();
	const card = page.getByTestId(`execution-details-${execution.id}`);
	await card.getByText('Succeeded').waitFor();
	await canvasNode(page, triggerName).waitFor();
});
