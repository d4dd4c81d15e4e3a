import type { Locator, Page } from 'playwright-core';
import { actionType } from '../../../sandbox/n8n/examples.mts';
import type { N8nRest } from '../../../sandbox/n8n/rest.mts';
import { n8nUrl } from '../../support/environment.mts';

interface Choice {
	value: string;
	action?: string;
}

interface NodeType {
	name: string;
	displayName: string;
	description: string;
	properties: Array<{ name: string; options?: Choice[] }>;
}

let types: Promise<NodeType[]> | undefined;

/** What n8n knows of a node type of ours; the tests compare with it, so that texts may change. */
export async function nodeType(rest: N8nRest, name: string): Promise<NodeType> {
	// The list of all nodes is 15 MB: it is read once.
	types ??= rest.nodeTypes() as unknown as Promise<NodeType[]>;
	const found = (await types).find((type) => type.name === name);
	if (found === undefined) throw new Error(`n8n has no node type ${name}`);
	return found;
}

/** The texts by which the nodes panel offers our operations, by the operations' values. */
export async function actionTexts(rest: N8nRest): Promise<Map<string, string>> {
	const { properties } = await nodeType(rest, actionType);
	const choices = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options);
	return new Map(choices.map(({ value, action = '' }) => [value, action]));
}

/** A new workflow with the nodes panel open, which asks for a trigger first. */
export async function openNewWorkflow(page: Page): Promise<void> {
	await page.goto(`${n8nUrl}/workflow/new`);
	await page.getByTestId('canvas-add-button').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
}

/** The panel's entries whose title is `title`. */
export const entry = (page: Page, title: string): Locator =>
	page
		.getByTestId('item-iterator-item')
		.filter({ has: page.getByTestId('node-creator-item-name').getByText(title, { exact: true }) });

/** Types into the panel's search; answers the entry with the title once it is found. */
export async function findNode(page: Page, words: string, title: string): Promise<Locator> {
	await page.getByTestId('node-creator-search-bar').fill(words);
	const found = entry(page, title);
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
