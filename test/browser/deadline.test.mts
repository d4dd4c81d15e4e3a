import { canvasNode, openNode, sharedPage, openRoute, output } from '../support/browser.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import { createForTwo } from '../support/people.mts';
import { actionNode, chain, manualNode } from '../support/workflows.mts';

const page = sharedPage();
const waitName = 'Wait a second';

test("the canvas names Time's Up in full, and the panel says what leaves there and where it leads", async () => {
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
	await openRoute(`/workflow/${workflow.id}`);
	const label = canvasNode(waitName).getByText("Time's Up");
	await label.waitFor();
	// n8n cuts a label of an output that leads nowhere if it is longer.
	expect(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(
		false,
	);

	await openNode(waitName);
	await page.getByText('Everything that is awaited then leaves by').waitFor();
	await page.getByTestId('node-execute-button').click();
	await output.getByText("Time's Up Branch (1 item)").waitFor();
});
