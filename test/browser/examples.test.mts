import { smtpFields } from '../../sandbox/n8n/setup.mts';
import { exampleNames, importExample, readExample } from '../../sandbox/n8n/examples.mts';
import { smtpType } from '../../sandbox/n8n/examples.mts';
import { sharedPage, openRoute, wholeCanvas } from '../support/browser.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import type { WorkflowFile } from '../../sandbox/n8n/types.mts';

const title = 'Browser examples';
const credentials = {
	dataCollection: await createCredential(title, { webhookSecret: newSecret() }),
	// Nothing listens there: taking the pictures sends no mail.
	smtp: await rest.createCredential(title, smtpType, smtpFields(9)),
};
const page = sharedPage();

/** Those whose pictures no other test takes. */
const all = (await exampleNames()).filter((name) => name !== 'practice-service');
/** README shows this one first: only its nodes. */
const first = 'list-to-table';
const withoutNotes = (file: WorkflowFile) => ({
	...file,
	nodes: file.nodes.filter(({ type }) => !type.endsWith('stickyNote')),
});

/** Each picture takes seconds: without PICTURES, which pictures.mts sets, one must do. */
const names = process.env.PICTURES ? all : ['form-to-email'];

test.each(names)('%s: all of its nodes are on the canvas', async (name) => {
	const webhookUrl = 'https://n8n.example.com/webhook/an-id/webhook';
	const file = await readExample(name);
	const entered = { credentials, baseUrl: '', webhookUrl };
	const shown = name === first ? withoutNotes(file) : file;
	const { id, nodes } = await importExample(rest, shown, entered);
	await openRoute(`/workflow/${id}`);
	for (const { name: shown } of nodes.filter(({ type }) => !type.endsWith('stickyNote'))) {
		await page.getByTestId('canvas-node').filter({ hasText: shown }).first().waitFor();
	}
	await wholeCanvas(`docs-${name}`);
});
