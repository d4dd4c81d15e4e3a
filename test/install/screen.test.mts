import assert from 'node:assert/strict';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest, type N8nRest } from '../../sandbox/n8n/rest.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { n8nUrl, userFolder } from '../support/environment.mts';
import { installedPackages } from './support/communityPackages.mts';
import { publishNext } from './support/publishing.mts';
import { openScreen, type Screen } from './support/screen.mts';
import { saveStory, storyNode, type Story } from './support/story.mts';

const nodeNames = 'Data Collection,Data Collection Trigger';

describe('on the screen Settings > Community nodes', () => {
	let rest: N8nRest;
	let screen: Screen;
	let story: Story;
	let version: string;

	beforeAll(async () => {
		rest = createRest(n8nUrl);
		await signIn(rest, userFolder);
		version = await publishNext();
		screen = await openScreen();
	});
	afterAll(async () => {
		await screen.picture('end');
		await screen.close();
	});

	const updateButton = () => screen.card.getByRole('button', { name: 'Update', exact: true });
	/** The card has to show the current version, and no other to update to. */
	const assertUpToDate = async () => {
		await screen.card.getByText(`v${version}`, { exact: true }).waitFor();
		await screen.card.getByText(nodeNames).waitFor();
		assert.equal(await updateButton().count(), 0);
	};
	const assertNamesWorkflows = async () => {
		await screen.dialog.getByText(story.creating.name).waitFor();
		await screen.dialog.getByText(story.trigger.workflow.name).waitFor();
	};

	test('is installed by its name once the risk is accepted', async () => {
		const { page, dialog } = screen;
		await screen.openPackages();
		await page.getByRole('button', { name: 'Install a community node' }).click();
		const install = dialog.getByTestId('install-community-package-button');
		await dialog.getByTestId('package-name-input').fill(packageName);
		assert.equal(await install.isEnabled(), false);
		await dialog.getByTestId('user-agreement-checkbox').click();
		await screen.picture('install');
		await install.click();
		await assertUpToDate();
		await dialog.waitFor({ state: 'hidden' });
		await screen.picture('installed');
	});

	test('a workflow with its nodes works', async () => {
		story = await saveStory(rest, 'Screen');
		await story.play();
	});

	test('a newer version is offered in the node', async () => {
		const old = version;
		version = await publishNext();
		const settings = await screen.openSettings(story.creating.id, storyNode);
		await settings.getByText('A new node package version is available').waitFor();
		await settings.getByText(`Package version ${old} (Legacy)`).waitFor();
		await screen.picture('node-with-update');
	});

	test('the update says which workflows it changes, and they go on working', async () => {
		const { dialog } = screen;
		await screen.openPackages();
		await updateButton().click();
		await assertNamesWorkflows();
		await screen.picture('update');
		await dialog.getByRole('button', { name: 'Confirm update' }).click();
		await assertUpToDate();
		await dialog.waitFor({ state: 'hidden' });
		await screen.picture('updated');
		await story.play();
	});

	test('after the update its node says that it is the newest', async () => {
		const settings = await screen.openSettings(story.creating.id, storyNode);
		await settings.getByText('node version 1 (Latest)').waitFor();
		await settings.getByText(`Package version ${version} (Latest)`).waitFor();
		const offer = settings.getByText('A new node package version is available');
		assert.equal(await offer.count(), 0);
		await screen.picture('node-updated');
	});

	test('is removed after a question that names the workflows', async () => {
		const { page, card, dialog } = screen;
		await screen.openPackages();
		await card.getByRole('button').last().click();
		await page.getByRole('menuitem', { name: 'Uninstall package' }).click();
		await assertNamesWorkflows();
		await screen.picture('uninstall');
		await dialog.getByRole('button', { name: 'Confirm uninstall' }).click();
		await page.getByRole('button', { name: 'Install a community node' }).waitFor();
		assert.equal(await card.count(), 0);
		assert.deepEqual(await installedPackages(rest.send), []);
	});

	test('its node is kept in the workflow and says what has to be installed', async () => {
		const panel = await screen.openNode(story.creating.id, storyNode);
		await panel.getByText('Install this node to use it').waitFor();
		await panel.getByText(`part of the ${packageName} community package`).waitFor();
		assert.equal(await screen.page.getByTestId('node-not-installed').count(), 1);
		await screen.picture('missing');
	});
});
