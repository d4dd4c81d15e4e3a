import type { Json } from '../../sandbox/n8n/types.mts';
import { choose, openNode, openPage, openWorkflow, parameter } from '../support/browser.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import { actionNode, chain } from '../support/workflows.mts';

const waitName = 'Wait for answers';
const createName = 'Ask';

const fields = { webhookSecret: newSecret() };
const credential = await createCredential('Browser panels', fields);
const ours = (name: string, parameters: Json) =>
	actionNode(name, credential, { resource: 'collectionRequest', ...parameters });
const nodes = [ours(createName, { operation: 'create' }), ours(waitName, { operation: 'wait' })];
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

test('Wait asks for a Request ID only when it waits by ID', async () => {
	await openNode(page, waitName);
	await parameter(page, 'which').waitFor();
	expect(await parameter(page, 'requestId').count()).toBe(0);
	const choices = ['By Request ID', 'Created Before This Node'];
	expect(await choose(page, 'which', 'By Request ID')).toStrictEqual(choices);
	await parameter(page, 'requestId').waitFor();
	await choose(page, 'which', 'Created Before This Node');
	await parameter(page, 'requestId').waitFor({ state: 'detached' });
});

test('Wait shows the fields of the limit only when there is one', async () => {
	await openNode(page, waitName);
	await parameter(page, 'limitWaitTime').waitFor();
	expect(await parameter(page, 'templateId').count()).toBe(0);
	expect(await shownLimitFields()).toStrictEqual([]);
	await switchLimit();
	await parameter(page, 'resumeUnit').waitFor();
	expect(await shownLimitFields()).toStrictEqual(['limitType', 'resumeAmount', 'resumeUnit']);
	await parameter(page, 'resumeUnit').scrollIntoViewIfNeeded();
	const choices = ['After Time Interval', 'At Specified Time'];
	expect(await choose(page, 'limitType', 'At Specified Time')).toStrictEqual(choices);
	await parameter(page, 'maxDateAndTime').waitFor();
	expect(await shownLimitFields()).toStrictEqual(['limitType', 'maxDateAndTime']);
	await switchLimit();
	await parameter(page, 'limitType').waitFor({ state: 'detached' });
	expect(await shownLimitFields()).toStrictEqual([]);
});

test('Create asks for a Webhook URL only when a trigger is notified', async () => {
	await openNode(page, createName);
	await parameter(page, 'notify').scrollIntoViewIfNeeded();
	expect(await parameter(page, 'webhookUrl').count()).toBe(0);
	const choices = ['A Trigger', 'A Wait Later in This Workflow, If Any', 'Nobody'];
	expect(await choose(page, 'notify', 'A Trigger')).toStrictEqual(choices);
	await parameter(page, 'webhookUrl').waitFor();
	await choose(page, 'notify', 'Nobody');
	await parameter(page, 'webhookUrl').waitFor({ state: 'detached' });
});
