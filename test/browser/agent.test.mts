import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { actionType } from '../../sandbox/n8n/examples.mts';
import { agentName } from '../support/agent.mts';
import { createCredential } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { chain, manualNode } from '../support/workflows.mts';
import { useBrowser } from './support/browser.mts';
import { assertDrawn, choicesOf, closeNode, openWorkflow } from './support/editor.mts';
import { findNode, nodeType } from './support/nodePanel.mts';
import { bothThemes } from './support/pictures.mts';

const agent = {
	id: randomUUID(),
	name: agentName,
	type: '@n8n/n8n-nodes-langchain.agent',
	typeVersion: 3.1,
	position: [300, 0],
	parameters: { promptType: 'define', text: 'Collect the addresses' },
};

describe("the node as a tool of n8n's AI Agent", () => {
	const rest = openRest();
	const browser = useBrowser();
	beforeAll(async () => {
		await createCredential(rest, 'Browser agent');
		const workflow = await rest.createWorkflow(chain('Browser agent', [manualNode(), agent]));
		await openWorkflow(browser.page, workflow.id);
	});

	test('the list of tools offers it', async () => {
		const { page } = browser;
		const { displayName, description } = await nodeType(rest, `${actionType}Tool`);
		await page
			.locator('[data-handleid="inputs/ai_tool/0"]')
			.getByTestId('canvas-handle-plus')
			.click();
		const found = await findNode(page, 'data collection', displayName);
		const text = await found.getByTestId('node-creator-item-description').innerText();
		assert.equal(text, description);
		await assertDrawn(found.locator('img').first());
		await bothThemes(page, 'agent-tools');
		await found.click();
		await page.getByTestId('node-parameters').waitFor();
	});

	test('it has every operation, Wait as well', async () => {
		const { page } = browser;
		assert.deepEqual(await choicesOf(page, 'operation'), [
			'Create',
			'Get',
			'Get Guest Link',
			'Get Participants',
			'Wait',
		]);
		await bothThemes(page, 'agent-operations');
		await page.keyboard.press('Escape');
		await closeNode(page);
		await bothThemes(page, 'agent-canvas');
	});
});
