import assert from 'node:assert/strict';
import type { Credential, Json, Workflow } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { calls } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { actionNode, chain, manualNode, setNode } from '../support/workflows.mts';
import { useBrowser } from './support/browser.mts';
import { openNode, openWorkflow, output, parameter, textField } from './support/editor.mts';
import { choicesOf, closeNode, executeStep } from './support/editor.mts';
import { bothThemes, picture } from './support/pictures.mts';

const waitName = 'Wait for answers';
const createName = 'Ask';
const getName = 'Look';
const unknownId = '65f0c1a2b3c4d5e6f7a8b9c2';

const limitFields = ['limitType', 'resumeAmount', 'resumeUnit', 'maxDateAndTime'];

describe("the action node's panels", () => {
	const rest = openRest();
	const browser = useBrowser();
	let workflow: Workflow;

	const shownLimitFields = async () => {
		const found: string[] = [];
		for (const name of limitFields) {
			if ((await parameter(browser.page, name).count()) > 0) found.push(name);
		}
		return found;
	};

	beforeAll(async () => {
		const fields = { webhookSecret: newSecret() };
		const credential: Credential = await createCredential(rest, 'Browser panels', fields);
		const at = (x: number, name: string, parameters: Json) => ({
			...actionNode(name, credential, { resource: 'collectionRequest', ...parameters }),
			position: [x, 0],
		});
		const nodes = [
			manualNode(),
			{ ...setNode('Template', 'template', 'from-the-input'), position: [250, 0] },
			at(500, createName, { operation: 'create' }),
			at(750, getName, { operation: 'get', requestId: '' }),
			at(1000, waitName, { operation: 'wait', requestId: '={{ $json.requestId }}' }),
		];
		workflow = await rest.createWorkflow(chain('Browser panels', nodes));
		await openWorkflow(browser.page, workflow.id);
	});

	test('Wait shows the fields of the limit only when there is one', async () => {
		const { page } = browser;
		await bothThemes(page, 'panels-canvas');
		await openNode(page, waitName);
		await picture(page, 'panels-wait');
		assert.equal(await parameter(page, 'templateId').count(), 0);
		assert.deepEqual(await shownLimitFields(), []);
		await parameter(page, 'limitWaitTime').locator('.el-switch').click();
		await parameter(page, 'resumeUnit').waitFor();
		assert.deepEqual(await shownLimitFields(), ['limitType', 'resumeAmount', 'resumeUnit']);
		await parameter(page, 'resumeUnit').scrollIntoViewIfNeeded();
		await bothThemes(page, 'panels-wait-interval');
		assert.equal((await choicesOf(page, 'limitType')).length, 2);
		await page.getByTestId('parameter-input-item').filter({ visible: true }).nth(1).click();
		await parameter(page, 'maxDateAndTime').waitFor();
		assert.deepEqual(await shownLimitFields(), ['limitType', 'maxDateAndTime']);
		await picture(page, 'panels-wait-date');
		await parameter(page, 'limitWaitTime').locator('.el-switch').click();
		await parameter(page, 'limitType').waitFor({ state: 'detached' });
		assert.deepEqual(await shownLimitFields(), []);
		await closeNode(page);
	});

	test('Create asks for a Webhook URL only when a trigger is notified', async () => {
		const { page } = browser;
		await openNode(page, createName);
		assert.equal(await parameter(page, 'webhookUrl').count(), 0);
		await parameter(page, 'notify').scrollIntoViewIfNeeded();
		assert.deepEqual(await choicesOf(page, 'notify'), [
			'Nobody',
			'A Trigger',
			'A Wait Operation Later in This Workflow',
		]);
		await picture(page, 'panels-notify');
		await page.getByTestId('parameter-input-item').filter({ visible: true }).nth(1).click();
		await parameter(page, 'webhookUrl').waitFor();
		await bothThemes(page, 'panels-webhook-url');
		await choicesOf(page, 'notify');
		await page.getByTestId('parameter-input-item').filter({ visible: true }).nth(0).click();
		await parameter(page, 'webhookUrl').waitFor({ state: 'detached' });
		await closeNode(page);
	});

	test('an empty Template ID is marked', async () => {
		const { page } = browser;
		await openNode(page, createName);
		await page.getByTestId('parameter-issues').hover();
		await page.getByText('Parameter "Template ID" is required').waitFor();
		await picture(page, 'panels-required');
		await closeNode(page);
	});

	test('an expression in Template ID shows its value and is sent', async () => {
		const { page } = browser;
		await openNode(page, createName);
		const options = page.getByTestId('templateId-parameter-input-options-container');
		await options.hover();
		await options.getByTestId('radio-button-expression').click();
		const editor = parameter(page, 'templateId').getByRole('textbox');
		await editor.click();
		await page.keyboard.insertText('{{ $json.template }}');
		await until('the editor has saved the expression', async () => {
			const saved = await rest.findWorkflow(workflow.id);
			const node = saved?.nodes.find(({ name }) => name === createName);
			return node?.parameters.templateId === '={{ $json.template }}' ? true : undefined;
		});
		await executeStep(page);
		await editor.click();
		await page.getByTestId('inline-expression-editor-output').getByText('from-the-input').waitFor();
		await bothThemes(page, 'panels-expression');
		const creates = (await calls()).filter(({ method }) => method === 'POST');
		const { templateId } = creates.at(-1)?.body as { templateId: string };
		assert.equal(templateId, 'from-the-input');
		await closeNode(page);
	});

	test('an empty Request ID is marked', async () => {
		const { page } = browser;
		await openNode(page, getName);
		await page.getByTestId('parameter-issues').hover();
		await page.getByText('Parameter "Request ID" is required').waitFor();
		await bothThemes(page, 'panels-required');
	});

	test('an unknown request ID is explained in the output', async () => {
		const { page } = browser;
		await textField(page, 'requestId').fill(unknownId);
		await page.getByTestId('parameter-issues').waitFor({ state: 'detached' });
		await page.getByTestId('node-execute-button').click();
		const message = await output(page).getByTestId('node-error-message').innerText();
		assert.match(message, new RegExp(`does not know the collection request "${unknownId}"`));
		const description = await output(page).getByTestId('node-error-description').innerText();
		assert.match(description, /Wrong environment\?/);
		assert.match(description, /There is nothing with this ID/);
		await bothThemes(page, 'panels-error');
	});
});
