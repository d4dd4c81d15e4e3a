import path from 'node:path';
import {
	chromium,
	selectors,
	type BrowserContext,
	type Page,
	type PageScreenshotOptions,
} from 'playwright-core';
import { picturesOf, profileOf } from './chromium.mts';
import { given, n8nUrl, session, suite } from './environment.mts';

/** How long one step in the editor may take on a busy machine with two cores, in milliseconds. */
const patience = 60_000;

selectors.setTestIdAttribute('data-test-id');

const cookies = (header: string) =>
	header.split('; ').map((pair) => {
		const [name = '', ...value] = pair.split('=');
		return { name, value: value.join('='), url: n8nUrl };
	});

async function launch(): Promise<BrowserContext> {
	const context = await chromium.launchPersistentContext(profileOf(suite), {
		executablePath: given('browser'),
		headless: true,
		// Chromium's sandbox refuses to run as root, which containers are.
		chromiumSandbox: process.getuid?.() !== 0,
		// Only this machine: neither n8n's editor nor Chromium needs any other host.
		args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
		viewport: { width: 1440, height: 900 },
		colorScheme: 'light',
		locale: 'en-US',
		timezoneId: 'UTC',
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	context.setDefaultTimeout(patience);
	await context.addCookies(cookies(session));
	return context;
}

type Area = NonNullable<PageScreenshotOptions['clip']>;

/** Saves the screen, or an area of it, as `<name>.png`. */
export async function picture(page: Page, name: string, clip?: Area): Promise<void> {
	const file = path.join(picturesOf(suite), `${name}.png`);
	await page.screenshot({ path: file, animations: 'disabled', caret: 'initial', clip });
}

/** Saves the nodes and notes of the canvas with the names below them and free outputs, cropped to fit. */
export async function wholeCanvas(page: Page, name: string): Promise<void> {
	const boxes = await page
		.locator('.vue-flow__node, [data-test-id="canvas-handle-plus"]')
		.evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON() as DOMRect));
	const x = Math.min(...boxes.map(({ left }) => left)) - 24;
	const y = Math.min(...boxes.map(({ top }) => top)) - 24;
	const width = Math.max(...boxes.map(({ right }) => right)) + 48 - x;
	const height = Math.max(...boxes.map(({ bottom }) => bottom)) + 90 - y;
	await picture(page, name, { x, y, width, height });
}

/** Saves the node's whole panel, from its first field to its last, in a window as tall as needed. */
export async function wholePanel(page: Page, name: string, height: number): Promise<void> {
	const usual = page.viewportSize();
	// n8n's message about the run disappears on its own.
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
	if (usual !== null) await page.setViewportSize({ ...usual, height });
	const first = page.getByTestId('node-parameters').locator('.parameter-item').first();
	await first.scrollIntoViewIfNeeded();
	await picture(page, name);
	if (usual !== null) await page.setViewportSize(usual);
}

/** The same in n8n's light and dark theme. */
export async function panelInBothThemes(page: Page, name: string, height: number): Promise<void> {
	for (const colorScheme of ['dark', 'light'] as const) {
		await page.emulateMedia({ colorScheme });
		await wholePanel(page, `${name}-${colorScheme}`, height);
	}
}

/**
 * A page in a headless Chromium, logged in to n8n as its owner; closed after the file's tests. The
 * screen is saved as each test leaves it; with PICTURES, in both of n8n's themes, which follow the
 * system's.
 */
export async function openPage(): Promise<Page> {
	const context = await launch();
	const page = context.pages()[0] ?? (await context.newPage());
	afterEach(async () => {
		const title = expect.getState().currentTestName?.replaceAll(/\W+/g, '-');
		const themes = process.env.PICTURES ? (['dark', 'light'] as const) : (['light'] as const);
		for (const colorScheme of themes) {
			await page.emulateMedia({ colorScheme });
			await picture(page, `${title}-${colorScheme}`);
		}
	});
	afterAll(() => context.close());
	return page;
}
