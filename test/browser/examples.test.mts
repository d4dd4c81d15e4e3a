import { smtpFields } from '../../sandbox/n8n/setup.mts';
import { exampleNames, importExample, smtpType } from '../../sandbox/n8n/examples.mts';
import { openPage, openWorkflow, wholeCanvas } from '../support/browser.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { rest } from '../support/environment.mts';

/** A port on which nothing listens: taking the pictures sends no mail. */
const noMailbox = 9;

const title = 'Browser examples';
const credentials = {
	dataCollection: await createCredential(title, { webhookSecret: newSecret() }),
	smtp: await rest.createCredential(title, smtpType, smtpFields(noMailbox)),
};
const page = await openPage();
// Large enough for the editor to show them legibly.
await page.setViewportSize({ width: 2000, height: 1200 });

/** Each picture takes seconds: without PICTURES, which pictures.mts sets, one must do. */
const names = process.env.PICTURES ? await exampleNames() : ['form-to-email'];

test.each(names)('%s: all of it is seen at once', async (name) => {
	const webhookUrl = 'https://n8n.example.com/webhook/an-id/webhook';
	const options = { rest, name, credentials, templateId: 'template', webhookUrl };
	const { id, nodes } = await importExample(options);
	await openWorkflow(page, id);
	await page.getByTestId('zoom-to-fit').click();
	for (const { name: shown } of nodes.filter(({ type }) => !type.endsWith('stickyNote'))) {
		await page.getByTestId('canvas-node').filter({ hasText: shown }).first().waitFor();
	}
	await wholeCanvas(page, `examples-${name}`);
});
