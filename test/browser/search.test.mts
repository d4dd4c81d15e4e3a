import assert from 'node:assert/strict';
import { actionType, triggerType } from '../../sandbox/n8n/examples.mts';
import { openRest } from '../support/environment.mts';
import { useBrowser } from './support/browser.mts';
import { assertDrawn } from './support/editor.mts';
import { action, actionTexts, findNode, nodeType } from './support/nodePanel.mts';
import { openNewWorkflow, unfoldActions } from './support/nodePanel.mts';
import { bothThemes } from './support/pictures.mts';

describe('the nodes panel', () => {
	const rest = openRest();
	const browser = useBrowser();
	beforeAll(() => openNewWorkflow(browser.page));

	for (const words of ['data collection', 'guest link', 'participants', 'wait for answers']) {
		test(`finds the nodes by "${words}"`, async () => {
			const { displayName } = await nodeType(rest, actionType);
			const { description } = await nodeType(rest, triggerType);
			const found = await findNode(browser.page, words, displayName);
			// n8n shows a node and its trigger as one entry, with the trigger's description.
			assert.equal(await found.count(), 1);
			const text = await found.getByTestId('node-creator-item-description').innerText();
			assert.equal(text, description);
			await assertDrawn(found.locator('img').first());
		});
	}

	test('the entry holds the trigger and every operation, each with the icon', async () => {
		const { displayName } = await nodeType(rest, actionType);
		const found = await findNode(browser.page, 'guest link', displayName);
		await bothThemes(browser.page, 'search-search');
		await found.click();
		const operations = [...(await actionTexts(rest)).values()];
		await unfoldActions(browser.page, operations[0] ?? '');
		const offered = [
			...operations,
			'On collection request completed',
			'On collection request opened',
			'On any status change',
		];
		for (const text of offered)
			await assertDrawn(action(browser.page, text).locator('img').first());
		await bothThemes(browser.page, 'search-details');
	});
});
