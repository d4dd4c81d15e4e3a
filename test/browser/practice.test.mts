import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { canvasNode, openNode, sharedPage } from '../support/browser.mts';
import { tableWith, wholeCanvas } from '../support/browser.mts';
import { newSecret, removeCredentials } from '../support/credential.mts';
import { n8nUrl, rest } from '../support/environment.mts';

const page = sharedPage();

/** Pastes a workflow's JSON on the canvas of a new workflow, and saves it. */
async function paste(name: string, last: string): Promise<void> {
	// Loaded anew: the editor does not know yet which credentials n8n has got meanwhile.
	await page.goto(`${n8nUrl}/workflow/new`);
	await page.getByTestId('canvas-add-button').waitFor();
	const json = await readFile(path.join(root, 'examples', `${name}.json`), 'utf8');
	await page.evaluate(async (text) => await navigator.clipboard.writeText(text), json);
	await page.keyboard.press('Control+V');
	await canvasNode(last).waitFor();
	await page.keyboard.press('Control+S');
	await page.waitForURL((url) => !url.pathname.endsWith('/new'));
}

test('what the README tells a newcomer leads from two pasted workflows to the answers', async () => {
	await paste('practice-service', 'Notify');
	await wholeCanvas('docs-practice-service');
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	await page.getByTestId('activation-modal').getByRole('button', { name: 'Got it' }).click();

	await removeCredentials();
	const practiceUrl = `${n8nUrl}/webhook/data-collection-practice`;
	const fields = { environment: 'practice', practiceUrl, webhookSecret: newSecret() };
	await rest.createCredential('Practice', credentialType, fields);
	await paste('first-flow', 'Show the Answers');
	const opened = page.context().waitForEvent('page');
	await page.getByTestId('execute-workflow-button').click();
	const form = await opened;
	await form.getByRole('button', { name: 'Create the collection request' }).click();
	const guestOpened = page.context().waitForEvent('page');
	await form.getByRole('link', { name: 'Open the guest link' }).click();
	const guest = await guestOpened;
	const answer = async (name: string, address: string) => {
		await guest.getByLabel(name).check();
		await guest.getByLabel('Delivery address').fill(address);
		await guest.getByRole('button', { name: 'Submit answers' }).click();
		await guest.getByRole('heading', { name: 'Thank you' }).waitFor();
	};
	await answer('Ada Example', 'Example Street 1');
	await guest.getByRole('link', { name: 'Answer as somebody else' }).click();
	await answer('Ben Example', 'Example Street 2');
	await form.getByRole('button', { name: 'Wait for the answers' }).click();
	await form.getByText('Delivery address: Example Street 2').waitFor();
	// Chromium hardly draws what is behind another page.
	await page.bringToFront();
	await openNode('Get Answers');
	await tableWith('Example Street 2');
}, 180_000);
