import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../sandbox/shared/paths.mts';
import {
	canvasNode,
	openNode,
	openPage,
	output,
	tableWith,
	wholeCanvas,
} from '../support/browser.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { inOrder } from '../support/inOrder.mts';
import { newSecret, removeCredentials } from '../support/credential.mts';
import { credentialType } from '../../sandbox/n8n/examples.mts';

// What the README tells a newcomer to do: import the two workflows, publish, add the credential, run.

const page = await openPage();
const step = inOrder();
const practiceUrl = `${n8nUrl}/webhook/data-collection-practice`;

/** Pastes a workflow's JSON on the canvas of a new workflow, and saves it. */
async function paste(name: string, last: string): Promise<void> {
	await page.goto(`${n8nUrl}/workflow/new`);
	await page.getByTestId('canvas-add-button').waitFor();
	const json = await readFile(path.join(root, 'examples', `${name}.json`), 'utf8');
	await page.evaluate(async (text) => await navigator.clipboard.writeText(text), json);
	await page.keyboard.press('Control+V');
	await canvasNode(page, last).waitFor();
	await page.keyboard.press('Control+S');
	await page.waitForURL((url) => !url.pathname.endsWith('/new'));
}

step('the practice service is pasted and published', async () => {
	await paste('practice-service', 'Notify');
	// Large enough for the editor to show it legibly.
	await page.setViewportSize({ width: 2000, height: 1200 });
	await page.getByTestId('zoom-to-fit').click();
	await wholeCanvas(page, 'examples-practice-service');
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	await page.getByTestId('activation-modal').getByRole('button', { name: 'Got it' }).click();
});

/** Answers on the guest page as this person, and looks at it. */
async function answer(guest: Page, name: string, size: string): Promise<void> {
	await guest.getByLabel(name).check();
	await guest.getByLabel('T-shirt size').fill(size);
	await guest.getByRole('button', { name: 'Submit answers' }).click();
	await guest.getByRole('heading', { name: 'Thank you' }).waitFor();
}

step(
	'the first flow leads from the form to the answers in one window',
	async () => {
		await removeCredentials();
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
		await guest.getByLabel('Ada Example').waitFor();
		await answer(guest, 'Ada Example', 'M');
		await guest.getByRole('link', { name: 'Answer as somebody else' }).click();
		await answer(guest, 'Ben Example', 'XL');
		await form.getByRole('button', { name: 'Wait for the answers' }).click();
		await form.getByText('T-shirt size: XL').waitFor();
		await openNode(page, 'Get Answers');
		await tableWith(page, 'T-shirt size');
		await output(page).getByText('XL', { exact: true }).waitFor();
	},
	180_000,
);
