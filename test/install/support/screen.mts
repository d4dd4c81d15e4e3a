import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium, selectors, type Locator, type Page } from 'playwright-core';
import { ownerOf } from '../../../sandbox/n8n/owner.mts';
import { packageName, root } from '../../../sandbox/shared/paths.mts';
import { given, n8nUrl, userFolder } from '../../support/environment.mts';

const artefacts = path.join(root, 'test', 'artefacts', 'install');
const quiet = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-component-update'];
/** The editor also asks for things on the internet; a test does not. */
const offline = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

/** n8n's editor as a person sees it, logged in as the owner. */
export interface Screen {
	page: Page;
	/** Opens the list of community packages anew. */
	openPackages(): Promise<void>;
	/** Our package in that list. */
	card: Locator;
	/** The dialog that is open. */
	dialog: Locator;
	/** Opens a node of a workflow; answers its panel. */
	openNode(workflowId: string, name: string): Promise<Locator>;
	/** The same, with the panel's tab of settings. */
	openSettings(workflowId: string, name: string): Promise<Locator>;
	/** Keeps a picture in test/artefacts/install. */
	picture(name: string): Promise<void>;
	close(): Promise<void>;
}

/** Without n8n's form: it is not what is tested, and it would load the editor twice more. */
async function logIn(page: Page): Promise<void> {
	const { email, password } = await ownerOf(userFolder);
	const data = { emailOrLdapLoginId: email, password };
	const response = await page.request.post(`${n8nUrl}/rest/login`, { data });
	if (!response.ok()) throw new Error(`n8n refuses its owner's log-in: ${response.status()}`);
}

/** Starts the browser and logs in. */
export async function openScreen(): Promise<Screen> {
	await mkdir(artefacts, { recursive: true });
	selectors.setTestIdAttribute('data-test-id');
	const args = [...quiet, ...offline];
	const browser = await chromium.launch({ executablePath: given('browser'), args });
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
	page.setDefaultTimeout(60_000);
	await logIn(page);

	let pictures = 0;
	const openNode = async (workflowId: string, name: string) => {
		await page.goto(`${n8nUrl}/workflow/${workflowId}`);
		await page.getByTestId('canvas-node').filter({ hasText: name }).dblclick();
		const panel = page.getByTestId('ndv');
		await panel.waitFor();
		return panel;
	};
	return {
		page,
		card: page.getByTestId('community-package-card').filter({ hasText: packageName }),
		dialog: page.getByRole('dialog'),
		openNode,
		openPackages: async () => void (await page.goto(`${n8nUrl}/settings/community-nodes`)),
		openSettings: async (workflowId, name) => {
			const panel = await openNode(workflowId, name);
			await panel.getByText('Settings', { exact: true }).click();
			return panel;
		},
		picture: async (name) => {
			const file = `${++pictures}-${name}.png`;
			await page.screenshot({ path: path.join(artefacts, file), animations: 'disabled' });
		},
		close: () => browser.close(),
	};
}
