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

/** What one step of the editor may take on a busy machine with two cores, in milliseconds. */
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
		// Nothing but this machine: neither n8n's editor nor Chromium has business elsewhere.
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

/**
 * A page of a headless Chromium, logged in to n8n as its owner; closed after the file's tests. The
 * screen is kept as each test leaves it, in both of n8n's themes, which follow the system's.
 */
export async function openPage(): Promise<Page> {
	const context = await launch();
	const page = context.pages()[0] ?? (await context.newPage());
	afterEach(async () => {
		const title = expect.getState().currentTestName?.replaceAll(/\W+/g, '-');
		for (const colorScheme of ['dark', 'light'] as const) {
			await page.emulateMedia({ colorScheme });
			await picture(page, `${title}-${colorScheme}`);
		}
	});
	afterAll(() => context.close());
	return page;
}
