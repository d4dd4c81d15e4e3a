import { canvasNode, openNode, openPage, openWorkflow, output } from '../support/browser.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import { createForTwo } from '../support/people.mts';
import { actionNode, chain, manualNode } from '../support/workflows.mts';

const page = await openPage();
const waitName = 'Wait a second';

test('the canvas and the output of Wait say that everything leaves by Timed Out, unread', async () => {
	const credential = await createCredential('Browser deadline', { webhookSecret: newSecret() });
	const wait = {
		resource: 'collectionRequest',
		operation: 'wait',
		limitWaitTime: true,
		resumeAmount: 1,
		resumeUnit: 'seconds',
	};
	const nodes = [
		manualNode(),
		actionNode('Create', credential, createForTwo),
		actionNode(waitName, credential, wait),
	];
	const row = nodes.map((node, index) => ({ ...node, position: [250 * index, 0] }));
	const workflow = await rest.createWorkflow(chain('Browser deadline', row));
	await openWorkflow(page, workflow.id);
	await canvasNode(page, waitName).getByText('Timed Out: All').waitFor();

	await openNode(page, waitName);
	await page.getByTestId('node-execute-button').click();
	const hints = output(page).getByTestId('run-data-hints');
	await hints.getByText('Timed Out has everything that was awaited, unread').waitFor();
	await output(page).getByText('Timed Out: All Branch (1 item)').waitFor();
});
