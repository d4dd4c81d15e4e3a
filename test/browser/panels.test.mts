import type { Json } from '../../sandbox/n8n/types.mts';
import type { RequestState } from '../../sandbox/service/types.mts';
import { openPage, panelInBothThemes } from '../support/browser.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { choicesOf, executeStep, openNode } from '../support/editor.mts';
import { openWorkflow, parameter } from '../support/editor.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { until } from '../support/until.mts';
import { actionNode, chain, manualNode, setNode } from '../support/workflows.mts';

const waitName = 'Wait for answers';
const createName = 'Ask';
const getName = 'Look';

const fields = { webhookSecret: newSecret() };
const credential = await createCredential('Browser panels', fields);
const ours = (name: string, parameters: Json) =>
	actionNode(name, credential, { resource: 'collectionRequest', ...parameters });
const nodes = [
	manualNode(),
	setNode('Template', 'template', 'from-the-input'),
	ours(createName, { operation: 'create' }),
	ours(getName, { operation: 'get', requestId: '' }),
	ours(waitName, { operation: 'wait' }),
];
const row = nodes.map((node, index) => ({ ...node, position: [250 * index, 0] }));
const workflow = await rest.createWorkflow(chain('Browser panels', row));
const page = await openPage();
beforeAll(() => openWorkflow(page, workflow.id));

const shownLimitFields = async () => {
	const found: string[] = [];
	for (const name of ['limitType', 'resumeAmount', 'resumeUnit', 'maxDateAndTime']) {
		if ((await parameter(page, name).count()) > 0) found.push(name);
	}
	return found;
};
const switchLimit = () => parameter(page, 'limitWaitTime').locator('.el-switch').click();
const choose = (index: number) =>
	page.getByTestId('parameter-input-item').filter({ visible: true }).nth(index).click();

test('Wait asks for a Request ID only when it waits by ID', async () => {
	await openNode(page, waitName);
	expect(await parameter(page, 'requestId').count()).toBe(0);
	await panelInBothThemes(page, 'wait-created', 1_100);
	const choices = ['By Request ID', 'Created Before This Node'];
	expect(await choicesOf(page, 'which')).toStrictEqual(choices);
	await choose(0);
	await parameter(page, 'requestId').waitFor();
	await panelInBothThemes(page, 'wait-by-request-id', 1_100);
	await choicesOf(page, 'which');
	await choose(1);
	await parameter(page, 'requestId').waitFor({ state: 'detached' });
});

test('Wait shows the fields of the limit only when there is one', async () => {
	await openNode(page, waitName);
	expect(await parameter(page, 'templateId').count()).toBe(0);
	expect(await shownLimitFields()).toStrictEqual([]);
	await switchLimit();
	await parameter(page, 'resumeUnit').waitFor();
	expect(await shownLimitFields()).toStrictEqual(['limitType', 'resumeAmount', 'resumeUnit']);
	await parameter(page, 'resumeUnit').scrollIntoViewIfNeeded();
	expect((await choicesOf(page, 'limitType')).length).toBe(2);
	await choose(1);
	await parameter(page, 'maxDateAndTime').waitFor();
	expect(await shownLimitFields()).toStrictEqual(['limitType', 'maxDateAndTime']);
	await switchLimit();
	await parameter(page, 'limitType').waitFor({ state: 'detached' });
	expect(await shownLimitFields()).toStrictEqual([]);
});

test('Create asks for a Webhook URL only when a trigger is notified', async () => {
	await openNode(page, createName);
	expect(await parameter(page, 'webhookUrl').count()).toBe(0);
	await panelInBothThemes(page, 'create', 1_300);
	await parameter(page, 'notify').scrollIntoViewIfNeeded();
	const choices = ['A Trigger', 'A Wait Later in This Workflow, If Any', 'Nobody'];
	expect(await choicesOf(page, 'notify')).toStrictEqual(choices);
	await choose(0);
	await parameter(page, 'webhookUrl').waitFor();
	await choicesOf(page, 'notify');
	await choose(2);
	await parameter(page, 'webhookUrl').waitFor({ state: 'detached' });
});

test.each([
	['Template ID', createName],
	['Request ID', getName],
])('an empty %s is marked', async (title, name) => {
	await openNode(page, name);
	await page.getByTestId('parameter-issues').hover();
	await page.getByText(`Parameter "${title}" is required`).waitFor();
});

test('an expression in Template ID shows its value and is sent', async () => {
	await openNode(page, createName);
	const options = page.getByTestId('templateId-parameter-input-options-container');
	await options.hover();
	await options.getByTestId('radio-button-expression').click();
	const editor = parameter(page, 'templateId').getByRole('textbox');
	await editor.click();
	await page.keyboard.insertText('{{ $json.template }}');
	await until('the editor has saved the expression', async () => {
		const saved = await rest.findWorkflow(workflow.id);
		const node = saved?.nodes.find(({ name }) => name === createName);
		return node?.parameters.templateId === '={{ $json.template }}' ? true : undefined;
	});
	await executeStep(page);
	await editor.click();
	await page.getByTestId('inline-expression-editor-output').getByText('from-the-input').waitFor();
	const [newest] = (await (await fetch(`${serviceUrl}/sandbox/requests`)).json()) as RequestState[];
	expect(newest?.request.template._id).toBe('from-the-input');
});
