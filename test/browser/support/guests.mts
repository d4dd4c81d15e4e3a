import type { BrowserContext, Page } from 'playwright-core';

/** Opens the guest link in a new page and says who answers; returns the page. */
export async function openForm(
	context: BrowserContext,
	link: string,
	guest: { name: string; email: string },
): Promise<Page> {
	const page = await context.newPage();
	await page.goto(link);
	await page.getByLabel('Your name').fill(guest.name);
	await page.getByLabel('Email address').fill(guest.email);
	return page;
}

/** Fills in the answers and submits; returns the text of the thank-you page. */
export async function submit(page: Page, address: string): Promise<string> {
	await page.getByLabel('Delivery address').fill(address);
	await page.getByRole('button', { name: 'Submit answers' }).click();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	return await page.getByRole('main').innerText();
}
