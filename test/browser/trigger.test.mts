import assert from 'node:assert/strict';
import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { outputOf, type Credential, type Workflow } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { n8nUrl, openRest, serviceUrl } from '../support/environment.mts';
import { nodeName, runNode } from '../support/runNode.mts';
import { complete, stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { chain, triggerName, triggerNode } from '../support/workflows.mts';
import { useBrowser } from './support/browser.mts';
import { canvasNode, closeNode, openNode, openWorkflow } from './support/editor.mts';
import { assertDrawn, output, showOutput } from './support/editor.mts';
import { bothThemes, picture } from './support/pictures.mts';
import { publishInEditor } from './support/publishing.mts';
import { requestWithWebhook } from './support/requests.mts';

const webhookSecret = newSecret();

describe('the trigger in the editor', () => {
	const rest = openRest();
	const browser = useBrowser();
	let workflow: Workflow;
	let credential: Credential;
	let url: string;
	beforeAll(async () => {
		credential = await createCredential(rest, 'Browser trigger', { webhookSecret });
		workflow = await rest.createWorkflow(
			chain('Browser trigger', [triggerNode(credential, { triggerOn: 'completed' })]),
		);
		url = triggerUrl(n8nUrl, workflow);
		await openWorkflow(browser.page, workflow.id);
	});

	test('the panel shows the test URL and the production URL', async () => {
		const { page } = browser;
		await assertDrawn(canvasNode(page, triggerName).locator('img').first());
		await bothThemes(page, 'trigger-canvas');
		await openNode(page, triggerName);
		await bothThemes(page, 'trigger-panel');
		const panel = page.getByTestId('ndv');
		await panel.getByText('Webhook URLs', { exact: true }).click();
		await panel.getByText(url.replace('/webhook/', '/webhook-test/')).waitFor();
		await panel.getByText('Production URL', { exact: true }).click();
		await panel.getByText(url).waitFor();
		await picture(page, 'trigger-production-url');
	});

	test('it listens for a test event and shows the notification', async () => {
		const { page } = browser;
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('ndv').getByText('Stop Listening').first().waitFor();
		await page.getByTestId('trigger-listening').waitFor();
		await page.getByTestId('ndv').getByText('copy the test URL above').waitFor();
		await bothThemes(page, 'trigger-listening');
		const testUrl = url.replace('/webhook/', '/webhook-test/');
		const id = await requestWithWebhook(testUrl, webhookSecret);
		await complete(id);
		await output(page).getByTestId('ndv-items-count').waitFor();
		await showOutput(page, 'table', id);
		await bothThemes(page, 'trigger-output');
		await showOutput(page, 'json', `${serviceUrl}/request/${id}`);
		await picture(page, 'trigger-output-json');
	});

	test('it listens again, and shows a test notification of another workflow', async () => {
		const { page } = browser;
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('ndv').getByText('Stop Listening').first().waitFor();
		const testUrl = url.replace('/webhook/', '/webhook-test/');
		const execution = await runNode({
			...{ rest, name: 'Browser test notification', credential },
			parameters: {
				...{ resource: 'notification', operation: 'sendTest' },
				...{ webhookUrl: testUrl, requestId: 'made-up', webhookIdentifier: 'trying' },
			},
		});
		const [sent = {}] = outputOf(execution, nodeName);
		assert.equal(sent.statusCode, 200, JSON.stringify(sent));
		await showOutput(page, 'table', 'made-up');
		await bothThemes(page, 'trigger-test-notification');
	});

	test('published, a completed request starts one execution, which the list shows', async () => {
		const { page } = browser;
		await closeNode(page);
		await publishInEditor(page);
		const id = await requestWithWebhook(url, webhookSecret);
		await complete(id);
		const sent = await until('both notifications are answered', async () => {
			const { deliveries } = await stateOf(id);
			const answered = deliveries.filter(({ statusCode }) => statusCode !== null);
			return answered.length === 2 ? answered : undefined;
		});
		assert.deepEqual(
			sent.map(({ statusCode }) => statusCode),
			[200, 200],
		);
		assert.deepEqual(sent.map(({ answer }) => /accepted|filtered/.exec(answer)?.[0]).sort(), [
			'accepted',
			'filtered',
		]);
		const executions = await until('the execution has ended', async () => {
			const all = (await rest.listExecutions(workflow.id)).filter(({ mode }) => mode === 'webhook');
			const ended = all.filter(({ status }) => status === 'success');
			return ended.length === 1 ? ended : undefined;
		});
		await page.getByTestId('radio-button-executions').click();
		for (const { id: executionId } of executions) {
			const card = page.getByTestId(`execution-details-${executionId}`);
			await card.getByText('Succeeded').waitFor();
		}
		await canvasNode(page, triggerName).waitFor();
		await bothThemes(page, 'trigger-executions');
	});
});
