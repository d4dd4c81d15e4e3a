import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { actionType, triggerType } from '../../sandbox/n8n/examples.mts';
import {
	assertDrawn,
	canvasNode,
	closeNode,
	executeStep,
	openNode,
	openPage,
	parameter,
	tableWith,
	textField,
	panelPicture,
} from '../support/browser.mts';
import { createCredential, removeCredentials } from '../support/credential.mts';
import { n8nUrl, rest, serviceUrl } from '../support/environment.mts';
import { stateOf, twoPeople } from '../support/sandboxService.mts';

interface NodeType {
	name: string;
	displayName: string;
	description: string;
	properties: Array<{
		name: string;
		displayOptions?: { show: { resource: string[] } };
		options?: Array<{ value: string; action?: string }>;
	}>;
}

/** What n8n knows about our node types; the tests compare with it, so the texts may change. */
const types = (await rest.nodeTypes()) as unknown as NodeType[];
const [node, trigger] = [actionType, triggerType].map((name) =>
	types.find((type) => type.name === name),
);
assert.ok(node && trigger);
const { displayName, properties } = node;
/** The nodes panel's texts for our operations, by the operations' values. */
const texts = new Map(
	properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options.map(({ value, action = '' }) => [value, action])),
);
const text = texts.get('create') ?? '';

await removeCredentials();
// A picture of the documents shows it.
await createCredential('Data Collection account');
const page = await openPage();
/** A free spot on the canvas; n8n adds the node there or beside the node it connects to. */
const dropAt = { x: 620, y: 640 };

/** A new workflow with the nodes panel open, which asks for a trigger first. */
const openNewWorkflow = async () => {
	await page.goto(`${n8nUrl}/workflow/new`);
	await page.getByTestId('canvas-add-button').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
};
/** Types into the panel's search; returns the entry with the title once it appears. */
const findNode = async (words: string, title = displayName): Promise<Locator> => {
	await page.getByTestId('node-creator-search-bar').fill(words);
	const name = page.getByTestId('node-creator-item-name').getByText(title, { exact: true });
	const found = page.getByTestId('item-iterator-item').filter({ has: name });
	await found.waitFor();
	return found;
};
/** An operation or event in an entry's details. */
const action = (name: string) =>
	page
		.locator('[data-keyboard-nav-type="action"]')
		.filter({ has: page.getByText(name, { exact: true }) });
/** Expands the operations, which n8n collapses while a workflow has no trigger. */
const unfoldActions = async () => {
	const title = page.getByTestId('node-creator-category-item').filter({ hasText: 'Actions' });
	await title.or(action(text)).first().waitFor();
	if (!(await action(text).isVisible())) await title.click();
	await action(text).waitFor();
};

describe('the nodes panel', () => {
	beforeAll(openNewWorkflow);

	test.each(['data collection', 'survey', text])('finds the nodes by "%s"', async (words) => {
		const found = await findNode(words);
		// n8n shows a node and its trigger as one entry, with the trigger's description.
		expect(await found.count()).toBe(1);
		const shown = await found.getByTestId('node-creator-item-description').innerText();
		expect(shown).toBe(trigger.description);
		await assertDrawn(found.locator('img').first());
	});

	test('the entry holds the trigger and every operation, each with the icon', async () => {
		await (await findNode('guest link')).click();
		await unfoldActions();
		for (const name of texts.values()) await assertDrawn(action(name).locator('img').first());
		// n8n highlights the first one.
		const all = await page.locator('[data-keyboard-nav-type="action"]').allInnerTexts();
		const events = ['request completed', 'request opened'].map((name) => `On collection ${name}`);
		const expected = ['On any status change', ...events, 'On other statuses'];
		expect(all.slice(0, 4)).toStrictEqual(expected);
	});
});

describe('Create, from the nodes panel to the answers', () => {
	let guestLink: string;

	test('the operation is dragged onto the canvas, where its panel opens', async () => {
		await openNewWorkflow();
		await (await findNode('manual', 'Trigger manually')).click();
		await page.getByTestId('canvas-node').waitFor();

		await page.getByTestId('node-creator-plus-button').click();
		await (await findNode('data collection')).click();
		await unfoldActions();
		await action(text).hover();
		await page.mouse.down();
		await page.mouse.move(dropAt.x, dropAt.y, { steps: 10 });
		await page.mouse.up();
		await page.getByTestId('node-parameters').waitFor();

		await closeNode(page);
		await assertDrawn(canvasNode(page, text).locator('img').first());
		expect(await page.getByTestId('edge').count()).toBe(1);
	});

	test('two participants are added by the button, and the step runs', async () => {
		await openNode(page, text);
		await textField(page, 'templateId').fill('65f0a3d4c5b6a7980f1e2d3c');
		const list = page.getByTestId('fixed-collection-participants');
		for (const [index, { name, email }] of twoPeople.entries()) {
			await list.getByTestId('fixed-collection-add').click();
			await textField(page, `participants.participant[${index}].name`).fill(name);
			await textField(page, `participants.participant[${index}].email`).fill(email);
		}
		await parameter(page, 'participants.participant[0].isAdmin').locator('.el-switch').click();
		await executeStep(page);
		const shown = await tableWith(page, `${serviceUrl}/request/`);
		await panelPicture(page, 'create-create', { width: 2_300, height: 1_560 });
		await panelPicture(page, 'create-panel', { width: 2_300, height: 840 });
		guestLink = /http:\/\/\S+\/request\/\w+/.exec(shown)?.[0] ?? '';
		const { request } = await stateOf(guestLink.split('/').at(-1) ?? '');
		expect(guestLink).toBe(`${serviceUrl}/request/${request._id}`);
		const invited = twoPeople.map(({ email }) => ({ email }));
		expect(request.participantList).toStrictEqual(invited);
	});

	test('both people submit by the guest link', async () => {
		for (const { name, email } of twoPeople) {
			const form = await page.context().newPage();
			await form.goto(guestLink);
			await form.getByLabel('Your name').fill(name);
			await form.getByLabel('Email address').fill(email);
			await form.getByLabel('Delivery address').fill('Example Street 1, 8000 Zürich');
			await form.getByRole('button', { name: 'Submit answers' }).click();
			await form.getByRole('heading', { name: 'Thank you' }).waitFor();
			expect(await form.getByRole('main').innerText()).toContain(name);
		}
		const { request, share } = await stateOf(guestLink.split('/').at(-1) ?? '');
		expect(request.shareStatus).toBe('completed');
		assert.ok(share);
	});
});
