import type { Locator, Page } from 'playwright-core';
import { actionType } from '../../../sandbox/n8n/examples.mts';
import { n8nUrl, rest } from '../../support/environment.mts';

interface NodeType {
	name: string;
	displayName: string;
	description: string;
	properties: Array<{ name: string; options?: Array<{ value: string; action?: string }> }>;
}

const types = (await rest.nodeTypes()) as unknown as NodeType[];

/** What n8n knows of a node type of ours; the tests compare with it, so that texts may change. */
export function nodeType(name: string): NodeType {
	const found = types.find((type) => type.name === name);
	if (found === undefined) throw new Error(`n8n has no node type ${name}`);
	return found;
}

/** The texts by which the nodes panel offers our operations, by the operations' values. */
export function actionTexts(): Map<string, string> {
	const fields = nodeType(actionType).properties.filter(({ name }) => name === 'operation');
	const choices = fields.flatMap(({ options = [] }) => options);
	return new Map(choices.map(({ value, action = '' }) => [value, action]));
}

/** A new workflow with the nodes panel open, which asks for a trigger first. */
export async function openNewWorkflow(page: Page): Promise<void> {
	await page.goto(`${n8nUrl}/workflow/new`);
	await page.getByTestId('canvas-add-button').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
}

/** Types into the panel's search; answers the entry with the title once it is found. */
export async function findNode(page: Page, words: string, title: string): Promise<Locator> {
	await page.getByTestId('node-creator-search-bar').fill(words);
	const name = page.getByTestId('node-creator-item-name').getByText(title, { exact: true });
	const found = page.getByTestId('item-iterator-item').filter({ has: name });
	await found.waitFor();
	return found;
}

/** An operation or event in an entry's details. */
export const action = (page: Page, text: string): Locator =>
	page
		.locator('[data-keyboard-nav-type="action"]')
		.filter({ has: page.getByText(text, { exact: true }) });

/** Unfolds the operations, which n8n folds while a workflow has no trigger. */
export async function unfoldActions(page: Page, first: string): Promise<void> {
	const operation = action(page, first);
	const title = page.getByTestId('node-creator-category-item').filter({ hasText: 'Actions' });
	await title.or(operation).first().waitFor();
	if (!(await operation.isVisible())) await title.click();
	await operation.waitFor();
}
