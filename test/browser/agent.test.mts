import assert from 'node:assert/strict';
import { actionType } from '../../sandbox/n8n/examples.mts';
import { agentName } from '../support/agent.mts';
import { openPage } from '../support/browser.mts';
import { createCredential } from '../support/credential.mts';
import { assertDrawn, choicesOf, closeNode, openWorkflow } from '../support/editor.mts';
import { openRest } from '../support/environment.mts';
import { bothThemes } from '../support/pictures.mts';
import { chain, manualNode, node } from '../support/workflows.mts';
import { findNode, nodeType } from './support/nodePanel.mts';

const rest = openRest();
const page = await openPage();

describe("the node as a tool of n8n's AI Agent", () => {
	beforeAll(async () => {
		await createCredential(rest, 'Browser agent');
		const prompt = { promptType: 'define', text: 'Collect the addresses' };
		const agent = node(agentName, '@n8n/n8n-nodes-langchain.agent', 3.1, prompt);
		const nodes = [manualNode(), { ...agent, position: [300, 0] }];
		const { id } = await rest.createWorkflow(chain('Browser agent', nodes));
		await openWorkflow(page, id);
	});

	test('the list of tools offers it', async () => {
		const { displayName, description } = nodeType(`${actionType}Tool`);
		const tools = page.locator('[data-handleid="inputs/ai_tool/0"]');
		await tools.getByTestId('canvas-handle-plus').click();
		const found = await findNode(page, 'data collection', displayName);
		const text = await found.getByTestId('node-creator-item-description').innerText();
		assert.equal(text, description);
		await assertDrawn(found.locator('img').first());
		await bothThemes(page, 'agent-tools');
		await found.click();
		await page.getByTestId('node-parameters').waitFor();
	});

	test('it has every operation, Wait as well', async () => {
		const operations = ['Create', 'Get', 'Get Guest Link', 'Get Participants', 'Wait'];
		assert.deepEqual(await choicesOf(page, 'operation'), operations);
		await bothThemes(page, 'agent-operations');
		await page.keyboard.press('Escape');
		await closeNode(page);
		await bothThemes(page, 'agent-canvas');
	});
});
