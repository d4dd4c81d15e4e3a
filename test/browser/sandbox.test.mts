import axe from 'axe-core';
import { openPage, picture } from '../support/browser.mts';
import { newSecret } from '../support/credential.mts';
import { serviceUrl } from '../support/environment.mts';
import { listen } from '../support/listener.mts';
import { dial } from '../support/mailbox.mts';
import { startOwnMailbox } from '../support/ownServers.mts';
import { ada, complete, createRequest, forge, stateOf } from '../support/sandboxService.mts';
import { openForm, submit } from './support/guests.mts';

const topics = Array.from({ length: 48 }, (_, index) => `Topic number ${index + 1}`);
const phone = { width: 360, height: 740 };
const desktop = { width: 1440, height: 900 };

const page = await openPage();
const mailbox = await startOwnMailbox('browser');
const receiver = await listen((_request, response) => void response.end('accepted'));
const openOnes = page.locator('details.request[open]');

async function assertCount(count: number): Promise<void> {
	await page.waitForFunction(
		(expected) => document.querySelectorAll('details.request').length === expected,
		count,
	);
}

/** Fails when the page scrolls sideways or shows anything beyond its right edge. */
async function assertFits(shown = page): Promise<void> {
	const wide = await shown.evaluate(() => {
		const { scrollWidth, clientWidth } = document.documentElement;
		const beyond = [...document.querySelectorAll('body *:not(pre *)')].filter(
			(element) => element.checkVisibility() && element.getBoundingClientRect().right > clientWidth,
		);
		return scrollWidth > clientWidth || beyond.length > 0
			? [scrollWidth, ...beyond.map((element) => element.outerHTML.slice(0, 120))]
			: [];
	});
	expect(wide).toStrictEqual([]);
}

/** Fails when any visible text has a contrast below 4.5, whatever its size, in light or dark. */
async function assertReadable(shown = page): Promise<void> {
	await shown.evaluate(axe.source);
	for (const colorScheme of ['dark', 'light'] as const) {
		await shown.emulateMedia({ colorScheme });
		const { violations, passes } = await shown.evaluate(() => {
			const contrastRatio = { normal: { expected: 4.5 }, large: { expected: 4.5 } };
			axe.configure({ checks: [{ id: 'color-contrast', options: { contrastRatio } }] });
			return axe.run({ runOnly: 'color-contrast' });
		});
		const faint = violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
		expect(faint).toStrictEqual([]);
		expect(passes.length).toBeGreaterThan(0);
	}
}

await fetch(`${serviceUrl}/sandbox`, { method: 'DELETE' });
const completed = await createRequest({
	webhookIdentifier: 'New office',
	webhookUrl: `${receiver.url}/${'a-long-path-'.repeat(12)}`,
	webhookSecret: newSecret(),
	participantList: [ada],
});
const open = await createRequest({ webhookIdentifier: 'Open '.repeat(30) });
for (const webhookIdentifier of topics) await createRequest({ webhookIdentifier });
await complete(completed);
await forge(completed);

test('50 collection requests are a collapsed list, and a link opens one of them', async () => {
	await page.goto(serviceUrl);
	await assertCount(50);
	expect(await openOnes.count()).toBe(0);
	expect(await page.locator('article').filter({ visible: true }).count()).toBe(0);
	await page.goto(`${serviceUrl}/#request-${completed}`);
	const article = page.locator(`#request-${completed}`);
	await article.getByText(ada.email).waitFor();
	expect(await openOnes.count()).toBe(1);
});

test('the copy buttons copy the request ID, the guest link and the share ID', async () => {
	const { share, guestLink } = await stateOf(completed);
	await page.goto(`${serviceUrl}/#request-${completed}`);
	const article = page.locator(`#request-${completed}`);
	for (const [label, text] of [
		['Copy Request ID', completed],
		['Copy Guest link', guestLink],
		['Copy Share ID', String(share?._id)],
	] as const) {
		await article.getByRole('button', { name: label }).click();
		await page.getByRole('status').getByText(`Copied: ${text}`).waitFor();
		expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
	}
	await page.getByText('Keys and addresses for n8n').click();
	await page.getByRole('button', { name: 'Copy API Key' }).click();
	await page.getByRole('status').getByText('Copied: sandbox-api-key').waitFor();
});

test('the keyboard opens a request and completes it, and the page stays where it is', async () => {
	const id = await createRequest({ webhookIdentifier: 'By keyboard' });
	await page.goto(serviceUrl);
	const summary = page.locator(`#title-${id}`);
	const isFocused = () => summary.evaluate((element) => element === document.activeElement);
	for (let tabs = 0; tabs < 9 && !(await isFocused()); tabs += 1) await page.keyboard.press('Tab');
	expect(await isFocused()).toBe(true);
	await page.keyboard.press('Enter');
	await page.locator(`#request-${id}`).waitFor();
	await page.locator(`#complete-${id}`).focus();
	await page.keyboard.press('Enter');
	await summary.getByText('completed', { exact: true }).waitFor();
	await page.locator(`#request-${id}`).waitFor();
	expect(await isFocused()).toBe(true);
});

/** Sends a mail with this HTML to the mailbox. */
async function sendHtml(subject: string, html: string): Promise<void> {
	const dialogue = await dial(mailbox);
	const headers = `Subject: ${subject}\nContent-Type: text/html; charset=utf-8`;
	expect(await dialogue.send(`${headers}\n\n${html}`)).toMatch(/^250 /);
	await dialogue.breakOff();
}

test.each([
	['a link', 'Lunch', (url: string) => `<p>Hello,<p><a href="${url}">Open the form</a>`],
	['a URL in the text', 'Supper', (url: string) => `<p>Hello,<p>please open ${url}.`],
])(
	'a row of the mailbox is clickable as a whole, and %s in HTML too',
	async (_name, title, make) => {
		const url = `${serviceUrl}/request/${await createRequest({ webhookIdentifier: title })}`;
		await sendHtml(title, make(url));
		await page.goto(mailbox.url);
		const row = page.getByRole('listitem').filter({ hasText: title });
		await picture(page, `mailbox-${title}-list`);
		// The bottom right-hand corner, far from the subject.
		const { width, height } = (await row.boundingBox()) ?? { width: 0, height: 0 };
		await row.click({ position: { x: width - 8, y: height - 8 } });
		await page.getByRole('heading', { name: title }).waitFor();
		const opened = page.waitForEvent('popup');
		// Chromium may drop a click on a frame that has not been painted yet, but no key.
		await page.frameLocator('iframe').getByRole('link').press('Enter');
		const form = await opened;
		await form.getByRole('heading', { name: title }).waitFor();
		await form.getByLabel('Your name').fill(ada.name);
		await form.getByLabel('Email address').fill(ada.email);
		await picture(page, `mailbox-${title}-mail`);
		await form.close();
	},
);

test('every page can be read in light and dark, and fits a phone', async () => {
	const context = page.context();
	const guestLink = `${serviceUrl}/request/${open}`;
	const thanks = await openForm(context, `${serviceUrl}/request/${await createRequest()}`, ada);
	await submit(thanks, 'Example Street 1, 8000 Zürich');
	const pages: Array<[name: string, url: string]> = [
		['console', `${serviceUrl}/#request-${completed}`],
		['guest', guestLink],
		['guest-completed', `${serviceUrl}/request/${completed}`],
		['guest-unknown', `${serviceUrl}/request/unknown`],
		['mailbox', mailbox.url],
		['mailbox-unknown', `${mailbox.url}/mails/none`],
	];
	await assertFits(thanks);
	await assertReadable(thanks);
	await thanks.close();
	for (const [, url] of pages) {
		await page.setViewportSize(phone);
		await page.goto(url);
		await page.locator('summary:visible').evaluateAll((all) => {
			for (const summary of all) (summary.parentElement as HTMLDetailsElement).open = true;
		});
		await assertFits();
		await assertReadable();
		await page.setViewportSize(desktop);
		await assertFits();
	}
});
