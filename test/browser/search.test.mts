import assert from 'node:assert/strict';
import { actionType, triggerType } from '../../sandbox/n8n/examples.mts';
import { openPage } from '../support/browser.mts';
import { assertDrawn } from '../support/editor.mts';
import * as panel from './support/nodePanel.mts';

const page = await openPage();
const { displayName } = panel.nodeType(actionType);
const { description } = panel.nodeType(triggerType);

beforeAll(() => panel.openNewWorkflow(page));

test.each(['data collection', 'guest link', 'participants', 'wait for answers'])(
	'finds the nodes by "%s"',
	async (words) => {
		const found = await panel.findNode(page, words, displayName);
		// n8n shows a node and its trigger as one entry, with the trigger's description.
		assert.equal(await found.count(), 1);
		const text = await found.getByTestId('node-creator-item-description').innerText();
		assert.equal(text, description);
		await assertDrawn(found.locator('img').first());
	},
);

test('the entry holds the trigger and every operation, each with the icon', async () => {
	const found = await panel.findNode(page, 'guest link', displayName);
	await found.click();
	const operations = [...panel.actionTexts().values()];
	await panel.unfoldActions(page, operations[0] ?? '');
	const events = ['request completed', 'request opened'].map((text) => `On collection ${text}`);
	for (const text of [...operations, ...events, 'On any status change']) {
		await assertDrawn(panel.action(page, text).locator('img').first());
	}
});
