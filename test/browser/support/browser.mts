import { chromium, selectors, type BrowserContext, type Page } from 'playwright-core';
import { given, n8nUrl, session } from '../../support/environment.mts';
import { profile } from './folders.mts';

/** What one step of the editor may take on a busy machine with two cores, in milliseconds. */
const patience = 30_000;

selectors.setTestIdAttribute('data-test-id');

const cookies = (header: string) =>
	header.split('; ').map((pair) => {
		const [name = '', ...value] = pair.split('=');
		return { name, value: value.join('='), url: n8nUrl };
	});

async function launch(): Promise<BrowserContext> {
	const context = await chromium.launchPersistentContext(profile, {
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

export interface Browser {
	/** Logged in to n8n as its owner. */
	page: Page;
}

/** A headless Chromium for the tests of the suite that calls this: there before, closed after. */
export function useBrowser(): Browser {
	let context: BrowserContext;
	const browser = {} as Browser;
	beforeAll(async () => {
		context = await launch();
		browser.page = context.pages()[0] ?? (await context.newPage());
	});
	afterAll(() => context.close());
	return browser;
}
