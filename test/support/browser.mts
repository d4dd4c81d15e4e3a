import { rm } from 'node:fs/promises';
import path from 'node:path';
import { chromium, selectors } from 'playwright-core';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { ownerOf } from '../../sandbox/n8n/owner.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { until } from '../../sandbox/shared/until.mts';
import { environment, n8nUrl, userFolder } from './environment.mts';
import { ensureBrowser } from './programs.mts';

const pictures = path.join(root, 'test', 'artefacts', 'browser');

/** In node_modules, because the strict lint parses every script elsewhere in the checkout. */
const profile = path.join(root, 'node_modules', '.cache', 'browser-profile');

const executablePath = await ensureBrowser();
// Without what earlier runs have left.
await rm(profile, { recursive: true, force: true });
await rm(pictures, { recursive: true, force: true });

selectors.setTestIdAttribute('data-test-id');

const screen = { width: 1440, height: 900 };

/** Starts a headless Chromium, logged in to n8n as its owner. */
async function launch(): Promise<BrowserContext> {
	const context = await chromium.launchPersistentContext(profile, {
		executablePath,
		headless: true,
		// Chromium's sandbox refuses to run as root, which containers are.
		chromiumSandbox: process.getuid?.() !== 0,
		// Only this machine: neither n8n's editor nor Chromium needs any other host.
		args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
		viewport: screen,
		// The documents show their pictures at half the size, for the screens that people have.
		deviceScaleFactor: process.env.PICTURES ? 2 : 1,
		colorScheme: 'light',
		locale: 'en-US',
		timezoneId: 'UTC',
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	// How long one step in the editor may take on a busy machine with two cores.
	context.setDefaultTimeout(60_000);
	const { email: emailOrLdapLoginId, password } = await ownerOf(userFolder);
	await context.request.post(`${n8nUrl}/rest/login`, { data: { emailOrLdapLoginId, password } });
	const { stop } = environment;
	environment.stop = async () => {
		await context.close();
		await stop?.();
	};
	return context;
}

const context = await launch();
const page = await context.newPage();

/** The page that all files share, as loading the editor takes more time than a test in it. */
export function sharedPage(): Page {
	afterEach(async () => {
		const title = expect.getState().currentTestName?.replaceAll(/\W+/g, '-');
		await picture(String(title));
	});
	return page;
}

/** Opens a route of the editor: as its own links do, unless a failed test has left a dialog open. */
export async function openRoute(route: string): Promise<void> {
	const isFree =
		page.url().startsWith(n8nUrl) && !(await page.getByRole('dialog').first().isVisible());
	const follow = (to: string) => {
		history.pushState(null, '', to);
		dispatchEvent(new PopStateEvent('popstate'));
	};
	await (isFree ? page.evaluate(follow, route) : page.goto(`${n8nUrl}${route}`));
}

type Area = Record<'x' | 'y' | 'width' | 'height', number>;

/** Saves the screen, or an area of it, as `<name>.png`. */
async function picture(name: string, clip?: Area): Promise<void> {
	const file = path.join(pictures, `${name}.png`);
	await page.screenshot({ path: file, animations: 'disabled', caret: 'initial', clip });
}

/** Saves the nodes and notes of the canvas with the names below them and free outputs, cropped to fit. */
export async function wholeCanvas(name: string): Promise<void> {
	// What the editor leaves for the canvas is then as wide as a page of the documents.
	await page.setViewportSize({ width: 1100, height: 900 });
	await page.getByTestId('zoom-to-fit').click();
	// n8n selects what is pasted, and has buttons above the canvas.
	await page.locator('.vue-flow__pane').click({ position: { x: 8, y: 300 } });
	const content = '[class*="nodeButtonsWrapper"] { display: none }';
	const style = await page.addStyleTag({ content });
	const boxesOf = (parts: string) =>
		page
			.locator(parts)
			.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().toJSON() as DOMRect));
	const boxes = await boxesOf('.vue-flow__node, [data-test-id="canvas-handle-plus"]');
	// A node's name is below its box.
	const lowest = await boxesOf('.vue-flow__node *');
	const x = Math.min(...boxes.map(({ left }) => left)) - 24;
	const y = Math.min(...boxes.map(({ top }) => top)) - 24;
	const width = Math.max(...boxes.map(({ right }) => right)) + 24 - x;
	const height = Math.max(...lowest.map(({ bottom }) => bottom)) + 16 - y;
	await picture(name, { x, y, width, height });
	await style.evaluate((tag) => (tag as HTMLElement).remove());
	await page.setViewportSize(screen);
}

/** Saves the parameters, from the first to the last, and the output of the open panel. */
export async function panelPicture(name: string): Promise<void> {
	// n8n's message about the run disappears on its own.
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
	await page.setViewportSize({ width: 1_600, height: 1_700 });
	// As JSON, each item is seen as a whole.
	await output.getByTestId('radio-button-json').click();
	const parameters = page.getByTestId('node-parameters');
	// The credential is above the first parameter.
	await parameters
		.locator('.parameter-item')
		.first()
		.evaluate((first) => {
			for (let at: Element | null = first; at !== null; at = at.parentElement) at.scrollTop = 0;
		});
	const boxOf = async (part: Locator) => {
		const box = await part.boundingBox();
		if (box === null) throw new Error('A part of the panel is not shown');
		return box;
	};
	const [left, right] = [await boxOf(parameters), await boxOf(output)];
	const last = await boxOf(parameters.locator('.parameter-input-list-wrapper').first());
	const width = right.x + right.width - left.x;
	const height = last.y + last.height + 24 - right.y;
	await picture(name, { ...right, x: left.x, width, height });
	await page.setViewportSize(screen);
}

/** A node on the canvas. */
export const canvasNode = (name: string): Locator =>
	page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

/** Opens a node's panel. */
export async function openNode(name: string): Promise<void> {
	await canvasNode(name).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

/** The right-hand side of the open panel. */
export const output = page.getByTestId('output-panel');

/** Shows the output as a table; returns its text once it contains the given one. */
export async function tableWith(text: string): Promise<string> {
	await output.getByTestId('radio-button-table').click();
	const table = output.getByTestId('ndv-data-container');
	await table.getByText(text).first().waitFor();
	return await table.innerText();
}

/** Waits until the image is visible and loaded, also if the editor replaces its element meanwhile. */
export async function assertDrawn(image: Locator): Promise<void> {
	await image.waitFor();
	await until(`drawn: ${image.toString()}`, () =>
		image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0),
	);
}
