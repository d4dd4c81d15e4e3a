import type { BrowserContext, Page } from 'playwright-core';
import type { Json } from '../../../sandbox/n8n/types.mts';
import { serviceCredential } from '../../../sandbox/shared/service.mts';
import { serviceUrl } from '../../support/environment.mts';

/** Creates a collection request by the service's API; resolves to its ID. */
export async function createRequest(body: Json): Promise<string> {
	const { apiKey, tokenId } = serviceCredential;
	const response = await fetch(`${serviceUrl}/di/collection-request/`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}`, tokenId },
		body: JSON.stringify({ templateId: 'browser-template', ...body }),
	});
	return ((await response.json()) as { _id: string })._id;
}

/** Opens the guest link in a page of its own and joins; answers the page with the questions. */
export async function join(
	context: BrowserContext,
	link: string,
	guest: { name: string; email: string },
): Promise<Page> {
	const page = await context.newPage();
	await page.goto(link);
	await page.getByLabel('Your name').fill(guest.name);
	await page.getByLabel('Email address').fill(guest.email);
	await page.getByRole('button', { name: 'Continue' }).click();
	await page.getByLabel('Delivery address').waitFor();
	return page;
}

/** Answers and submits; answers the text of the page that thanks. */
export async function submit(page: Page, address: string): Promise<string> {
	await page.getByLabel('Delivery address').fill(address);
	await page.getByRole('button', { name: 'Submit answers' }).click();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	return await page.getByRole('main').innerText();
}
