import assert from 'node:assert/strict';
import { packageName } from '../../sandbox/shared/paths.mts';
import { openPage } from '../support/browser.mts';
import { canvasNode, openNode, openWorkflow } from '../support/editor.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { picture } from '../support/pictures.mts';
import { packagesOf } from './support/packages.mts';
import { publishNext } from './support/publishing.mts';
import { saveStory, storyNode, type Story } from './support/story.mts';

const nodeNames = 'Data Collection,Data Collection Trigger';

const rest = openRest();
const page = await openPage();
const dialog = page.getByRole('dialog');
/** Our package in the list of community packages. */
const card = page.getByTestId('community-package-card').filter({ hasText: packageName });
const updateButton = card.getByRole('button', { name: 'Update', exact: true });
const openPackages = () => page.goto(`${n8nUrl}/settings/community-nodes`);

describe('on the screen Settings > Community nodes', () => {
	let story: Story;
	let version: string;
	beforeAll(async () => {
		version = await publishNext();
	});

	/** The card has to show the current version, and no other to update to. */
	const assertUpToDate = async () => {
		await card.getByText(`v${version}`, { exact: true }).waitFor();
		await card.getByText(nodeNames).waitFor();
		assert.equal(await updateButton.count(), 0);
		await dialog.waitFor({ state: 'hidden' });
	};
	const assertNamesWorkflows = async () => {
		await dialog.getByText(story.creating.name).waitFor();
		await dialog.getByText(story.trigger.workflow.name).waitFor();
	};
	const openSettings = async () => {
		await openWorkflow(page, story.creating.id);
		await openNode(page, storyNode);
		const panel = page.getByTestId('ndv');
		await panel.getByText('Settings', { exact: true }).click();
		return panel;
	};

	test('is installed by its name once the risk is accepted', async () => {
		await openPackages();
		await page.getByRole('button', { name: 'Install a community node' }).click();
		const install = dialog.getByTestId('install-community-package-button');
		await dialog.getByTestId('package-name-input').fill(packageName);
		assert.equal(await install.isEnabled(), false);
		await dialog.getByTestId('user-agreement-checkbox').click();
		await picture(page, '1-install');
		await install.click();
		await assertUpToDate();
		await picture(page, '2-installed');
	});

	test('a workflow with its nodes works', async () => {
		story = await saveStory(rest, 'Screen');
		await story.play();
	});

	test('a newer version is offered in the node', async () => {
		const old = version;
		version = await publishNext();
		const settings = await openSettings();
		await settings.getByText('A new node package version is available').waitFor();
		await settings.getByText(`Package version ${old} (Legacy)`).waitFor();
		await picture(page, '3-node-with-update');
	});

	test('the update says which workflows it changes, and they go on working', async () => {
		await openPackages();
		await updateButton.click();
		await assertNamesWorkflows();
		await picture(page, '4-update');
		await dialog.getByRole('button', { name: 'Confirm update' }).click();
		await assertUpToDate();
		await picture(page, '5-updated');
		await story.play();
	});

	test('after the update its node says that it is the newest', async () => {
		const settings = await openSettings();
		await settings.getByText('node version 1 (Latest)').waitFor();
		await settings.getByText(`Package version ${version} (Latest)`).waitFor();
		const offer = settings.getByText('A new node package version is available');
		assert.equal(await offer.count(), 0);
		await picture(page, '6-node-updated');
	});

	test('is removed after a question that names the workflows', async () => {
		await openPackages();
		await card.getByRole('button').last().click();
		await page.getByRole('menuitem', { name: 'Uninstall package' }).click();
		await assertNamesWorkflows();
		await picture(page, '7-uninstall');
		await dialog.getByRole('button', { name: 'Confirm uninstall' }).click();
		await page.getByRole('button', { name: 'Install a community node' }).waitFor();
		assert.equal(await card.count(), 0);
		assert.deepEqual(await packagesOf(rest).list(), []);
	});

	test('its node is kept in the workflow and says what has to be installed', async () => {
		await openWorkflow(page, story.creating.id);
		await canvasNode(page, storyNode).dblclick();
		const panel = page.getByTestId('ndv');
		await panel.getByText('Install this node to use it').waitFor();
		await panel.getByText(`part of the ${packageName} community package`).waitFor();
		assert.equal(await page.getByTestId('node-not-installed').count(), 1);
		await picture(page, '8-missing');
	});
});
