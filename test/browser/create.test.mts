import assert from 'node:assert/strict';
import { actionType } from '../../sandbox/n8n/examples.mts';
import { openPage } from '../support/browser.mts';
import { createCredential } from '../support/credential.mts';
import { canvasNode, closeNode, openNode, parameter, textField } from '../support/editor.mts';
import { assertDrawn, executeStep, tableWith } from '../support/editor.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { wholePanel } from '../support/pictures.mts';
import { stateOf } from '../support/sandboxService.mts';
import { twoPeople } from '../support/waiting.mts';
import { join, submit } from './support/guests.mts';
import { action, actionTexts, findNode, nodeType } from './support/nodePanel.mts';
import { openNewWorkflow, unfoldActions } from './support/nodePanel.mts';

/** A free place on the canvas; n8n adds the node there or beside the node that it connects to. */
const dropAt = { x: 620, y: 640 };

const page = await openPage();

const text = actionTexts().get('create') ?? '';
let guestLink: string;
// n8n chooses the only credential that fits by itself.
beforeAll(() => createCredential(rest, 'Browser create'));

test('the operation is dragged onto the canvas, where its panel opens', async () => {
	await openNewWorkflow(page);
	await (await findNode(page, 'manual', 'Trigger manually')).click();
	await page.getByTestId('canvas-node').waitFor();

	await page.getByTestId('node-creator-plus-button').click();
	const found = await findNode(page, 'data collection', nodeType(actionType).displayName);
	await found.click();
	await unfoldActions(page, text);
	await action(page, text).hover();
	await page.mouse.down();
	await page.mouse.move(dropAt.x, dropAt.y, { steps: 10 });
	await page.mouse.up();
	await page.getByTestId('node-parameters').waitFor();

	await closeNode(page);
	const node = canvasNode(page, text);
	await assertDrawn(node.locator('img').first());
	assert.equal(await page.getByTestId('edge').count(), 1);
});

test('two participants are added by the button, and the step runs', async () => {
	await openNode(page, text);
	await textField(page, 'templateId').fill('browser-template');
	const list = page.getByTestId('fixed-collection-participants');
	for (const [index, { name, email }] of twoPeople.entries()) {
		await list.getByTestId('fixed-collection-add').click();
		await textField(page, `participants.participant[${index}].name`).fill(name);
		await textField(page, `participants.participant[${index}].email`).fill(email);
	}
	await parameter(page, 'participants.participant[0].isAdmin').locator('.el-switch').click();
	await executeStep(page);
	const shown = await tableWith(page, `${serviceUrl}/request/`);
	await wholePanel(page, 'create-create', 1_850);
	guestLink = /http:\/\/\S+\/request\/\w+/.exec(shown)?.[0] ?? '';
	const { request } = await stateOf(guestLink.split('/').at(-1) ?? '');
	assert.equal(guestLink, `${serviceUrl}/request/${request._id}`);
	const invited = twoPeople.map(({ email }) => ({ email }));
	assert.deepEqual(request.participantList, invited);
});

test('both people join and submit by the guest link, and the console shows it', async () => {
	const first = await join(page.context(), guestLink, twoPeople[0]!);
	const second = await join(page.context(), guestLink, twoPeople[1]!);
	assert.match(await submit(first, 'Example Street 1, 8000 Zürich'), /Ada Example/);
	assert.match(await submit(second, 'Example Street 2, 8000 Zürich'), /Ben Example/);

	const requestId = guestLink.split('/').at(-1) ?? '';
	await second.goto(`${serviceUrl}/#request-${requestId}`);
	const article = second.locator(`#request-${requestId}`);
	await article.getByText('completed', { exact: true }).waitFor();
	for (const { name } of twoPeople) {
		const person = article.getByRole('listitem').filter({ hasText: name });
		assert.match(await person.innerText(), /submitted/);
	}
	const { request, share } = await stateOf(requestId);
	assert.equal(request.shareStatus, 'completed');
	assert.ok(share);
});
