import type { Locator, Page } from 'playwright-core';
import { n8nUrl } from './environment.mts';

/** Opens a workflow and waits until its nodes are on the canvas. */
export async function openWorkflow(page: Page, id: string): Promise<void> {
	await page.goto(`${n8nUrl}/workflow/${id}`);
	await page.getByTestId('canvas-node').first().waitFor();
}

/** A node on the canvas. */
export const canvasNode = (page: Page, name: string): Locator =>
	page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

export async function closeNode(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

/** Opens a node's panel, replacing any open one. */
export async function openNode(page: Page, name: string): Promise<void> {
	if (await page.getByTestId('ndv').isVisible()) await closeNode(page);
	await canvasNode(page, name).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

/** A parameter in the open panel, by its path, e.g. `participants.participant[0].name`. */
export const parameter = (page: Page, path: string): Locator =>
	page.locator(`[data-parameter-path="parameters.${path}"]`);

export const textField = (page: Page, path: string): Locator =>
	parameter(page, path).getByTestId('parameter-input-field');

/** Opens a parameter's list; returns the titles of its entries. */
export async function choicesOf(page: Page, name: string): Promise<string[]> {
	await page.getByTestId(`parameter-input-${name}`).getByRole('combobox').click();
	const entries = page.getByTestId('parameter-input-item').filter({ visible: true });
	await entries.first().waitFor();
	const texts = await entries.allInnerTexts();
	return texts.map((text) => text.split('\n')[0]?.trim() ?? '');
}

/** The right-hand side of the open panel. */
export const output = (page: Page): Locator => page.getByTestId('output-panel');

/** Clicks Execute step and waits for the items. */
export async function executeStep(page: Page): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	await output(page).getByTestId('ndv-items-count').waitFor();
}

/** Shows the output as a table; returns its text once it contains the given one. */
export async function tableWith(page: Page, text: string): Promise<string> {
	await output(page).getByTestId('radio-button-table').click();
	const table = output(page).getByTestId('ndv-data-container');
	await table.getByText(text).first().waitFor();
	return await table.innerText();
}

/** Fails unless the image is loaded and visible. */
export async function assertDrawn(image: Locator): Promise<void> {
	await image.waitFor();
	const width = await image.evaluate(async (element) => {
		const drawn = element as HTMLImageElement;
		await drawn.decode();
		return drawn.naturalWidth;
	});
	if (width === 0) throw new Error(`The image ${await image.getAttribute('src')} is empty`);
}
