import type { Locator, Page } from 'playwright-core';

const dialog = (page: Page): Locator => page.getByTestId('editCredential-modal');

/** A field of the open dialog by the credential's name for it. */
export const credentialField = (page: Page, name: string): Locator =>
	dialog(page).getByTestId(`parameter-input-${name}`).getByTestId('parameter-input-field');

/** Opens the dialog for a new credential in a node that has none yet. */
export async function openNewCredential(page: Page): Promise<void> {
	await page.getByTestId('node-credentials-empty-state').getByRole('button').click();
	await credentialField(page, 'apiKey').waitFor();
}

/** Opens the chosen credential; n8n tests it at once. */
export async function reopenCredential(page: Page): Promise<void> {
	await page.getByTestId('credential-edit-button').click();
	await credentialField(page, 'apiKey').waitFor();
}

export async function fillCredential(page: Page, fields: Record<string, string>): Promise<void> {
	for (const [name, value] of Object.entries(fields)) {
		await credentialField(page, name).fill(value);
	}
}

/** Pastes a text as a person does, by the clipboard and the keyboard. */
export async function pasteInto(page: Page, name: string, text: string): Promise<void> {
	await credentialField(page, name).click();
	await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
	await page.keyboard.press('ControlOrMeta+V');
}

/** Saves; n8n tests what it saves. Without a problem it closes the dialog. */
export const saveCredential = (page: Page): Promise<void> =>
	page.getByTestId('credential-save-button').click();

export const isClosed = (page: Page): Promise<void> => dialog(page).waitFor({ state: 'hidden' });

/** Waits until the dialog says that the test has passed; answers the words. */
export async function testPassed(page: Page): Promise<string> {
	const banner = page.getByTestId('credentials-config-container-test-success');
	await banner.waitFor();
	return await banner.innerText();
}

/** Waits until the dialog says that the test has failed; answers what it says when asked more. */
export async function testFailed(page: Page): Promise<string> {
	const more = dialog(page).getByText('More details');
	await more.click();
	await more.waitFor({ state: 'hidden' });
	return await page.getByTestId('node-credentials-config-container').innerText();
}

export async function closeCredential(page: Page): Promise<void> {
	await dialog(page).getByRole('button', { name: 'Close this dialog' }).click();
	await isClosed(page);
}
