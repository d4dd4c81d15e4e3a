import assert from 'node:assert/strict';
import { actionType, triggerType } from '../../sandbox/n8n/examples.mts';
import { assertDrawn, canvasNode, openNode, sharedPage } from '../support/browser.mts';
import { openRoute, output, panelPicture, tableWith } from '../support/browser.mts';
import { createCredential, removeCredentials } from '../support/credential.mts';
import { rest, service } from '../support/environment.mts';
import { twoPeople } from '../support/people.mts';
import { chain, manualNode } from '../support/workflows.mts';

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
// A picture of the documents shows both.
const collectUrl = 'https://collect.example.com';
await createCredential('Data Collection account', { productionCollectUrl: collectUrl });
const page = sharedPage();
/** The entry of our nodes in the panel's list. */
const entry = page.getByTestId('item-iterator-item').filter({
	has: page.getByTestId('node-creator-item-name').getByText(displayName, { exact: true }),
});
/** Types into the panel's search, and waits until the list shows what these words have found. */
const search = async (words: string) => {
	const field = page.getByTestId('node-creator-search-bar');
	await field.fill('nothing has this name');
	await page.getByTestId('node-creator-no-results').waitFor();
	await field.fill(words);
	await entry.waitFor();
};
/** An operation or event in an entry's details. */
const action = (name: string) =>
	page
		.locator('[data-keyboard-nav-type="action"]')
		.filter({ has: page.getByText(name, { exact: true }) });

describe('the nodes panel', () => {
	beforeAll(async () => {
		await openRoute('/workflow/new');
		await page.getByTestId('canvas-add-button').click();
	});

	test.each(['data collection', 'survey', text])('finds the nodes by "%s"', async (words) => {
		await search(words);
		// n8n shows a node and its trigger as one entry, with the trigger's description.
		expect(await entry.count()).toBe(1);
		const shown = await entry.getByTestId('node-creator-item-description').innerText();
		expect(shown).toBe(trigger.description);
		await assertDrawn(entry.locator('img').first());
	});

	test('the entry holds the trigger and every operation, each with the icon', async () => {
		await search('guest link');
		await entry.click();
		// n8n collapses the operations while a workflow has no trigger.
		const actions = page.getByTestId('node-creator-category-item').filter({ hasText: 'Actions' });
		await actions.filter({ has: page.locator('[data-icon="chevron-up"]') }).click();
		await action(text).waitFor();
		for (const name of texts.values()) await assertDrawn(action(name).locator('img').first());
		// n8n highlights the first one.
		const all = await page.locator('[data-keyboard-nav-type="action"]').allInnerTexts();
		const events = ['request completed', 'request opened'].map((name) => `On collection ${name}`);
		const expected = ['On any status change', ...events, 'On other statuses'];
		expect(all.slice(0, 4)).toStrictEqual(expected);
	});
});

test('Create is dragged onto the canvas, two people are added, and it runs', async () => {
	const { id } = await rest.createWorkflow(chain('Browser create', [manualNode()]));
	await openRoute(`/workflow/${id}`);
	await page.getByTestId('canvas-handle-plus').click();
	await search('data collection');
	await entry.click();
	await action(text).hover();
	await page.mouse.down();
	// A free spot on the canvas; n8n adds the node there or beside the node it connects to.
	await page.mouse.move(620, 640, { steps: 10 });
	await page.mouse.up();
	await page.getByTestId('node-parameters').waitFor();
	await page.getByTestId('ndv-close-button').click();
	await assertDrawn(canvasNode(text).locator('img').first());
	expect(await page.getByTestId('edge').count()).toBe(1);

	await openNode(text);
	/** A parameter in the open panel, by its path. */
	const parameter = (at: string) => page.locator(`[data-parameter-path="parameters.${at}"]`);
	const fill = (at: string, value: string) =>
		parameter(at).getByTestId('parameter-input-field').fill(value);
	await fill('templateId', '65f0a3d4c5b6a7980f1e2d3c');
	const list = page.getByTestId('fixed-collection-participants');
	for (const [index, { name, email }] of twoPeople.entries()) {
		await list.getByTestId('fixed-collection-add').click();
		await fill(`participants.participant[${index}].name`, name);
		await fill(`participants.participant[${index}].email`, email);
	}
	await parameter('participants.participant[0].isAdmin').locator('.el-switch').click();
	await page.getByTestId('node-execute-button').click();
	await output.getByTestId('ndv-items-count').waitFor();
	const shown = await tableWith(`${collectUrl}/request/`);
	await panelPicture('docs-create');
	const [, requestId] = /\/request\/(\w+)/.exec(shown) ?? [];
	const invited = twoPeople.map(({ email }) => ({ email }));
	expect(service.stateOf(requestId).request.participantList).toStrictEqual(invited);
}, 120_000);
