import type { Page } from 'playwright-core';

/** Publishes the open workflow by its button and waits until n8n says that it is. */
export async function publishInEditor(page: Page): Promise<void> {
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	const said = page.getByTestId('activation-modal');
	await said.getByRole('button', { name: 'Got it' }).click();
	await page.getByTestId('workflow-active-version-indicator').waitFor();
}
