import path from 'node:path';
import type { Page } from 'playwright-core';
import { picturesOf } from './chromium.mts';
import { suite } from './environment.mts';

/** Keeps the screen as `<name>.png`. */
export async function picture(page: Page, name: string): Promise<void> {
	const file = path.join(picturesOf(suite), `${name}.png`);
	await page.screenshot({ path: file, animations: 'disabled', caret: 'initial' });
}

/** Keeps the node's whole panel, from its first field to its last, in a window as high as it needs. */
export async function wholePanel(page: Page, name: string, height: number): Promise<void> {
	const usual = page.viewportSize();
	// n8n's message about the run goes away by itself.
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
	if (usual !== null) await page.setViewportSize({ ...usual, height });
	const first = page.getByTestId('node-parameters').locator('.parameter-item').first();
	await first.scrollIntoViewIfNeeded();
	await picture(page, name);
	if (usual !== null) await page.setViewportSize(usual);
}
