import path from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import { picturesOf } from './chromium.mts';
import { suite } from './environment.mts';

type Area = NonNullable<PageScreenshotOptions['clip']>;

/** Keeps the screen, or an area of it, as `<name>.png`. */
export async function picture(page: Page, name: string, clip?: Area): Promise<void> {
	const file = path.join(picturesOf(suite), `${name}.png`);
	await page.screenshot({ path: file, animations: 'disabled', caret: 'initial', clip });
}

/** Pixels around the nodes of a canvas: below and beside them are their names and pluses. */
const margin = { left: 24, top: 24, right: 48, bottom: 90 };

/** Keeps the nodes and notes of the canvas, without the editor around them. */
export async function wholeCanvas(page: Page, name: string): Promise<void> {
	const nodes = await page.locator('.vue-flow__node').all();
	const boxes = (await Promise.all(nodes.map((node) => node.boundingBox()))).filter(
		(box) => box !== null,
	);
	const x = Math.min(...boxes.map((box) => box.x)) - margin.left;
	const y = Math.min(...boxes.map((box) => box.y)) - margin.top;
	const width = Math.max(...boxes.map((box) => box.x + box.width)) + margin.right - x;
	const height = Math.max(...boxes.map((box) => box.y + box.height)) + margin.bottom - y;
	await picture(page, name, { x, y, width, height });
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
