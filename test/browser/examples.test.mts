import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { smtpFields } from '../../sandbox/n8n/credentials.mts';
import { smtpType } from '../../sandbox/n8n/examples.mts';
import type { Credentials } from '../../sandbox/n8n/examples.mts';
import { importExample } from '../../sandbox/n8n/importExample.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { openPage } from '../support/browser.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { openWorkflow } from '../support/editor.mts';
import { rest } from '../support/environment.mts';
import { picture } from '../support/pictures.mts';

const files = await readdir(path.join(root, 'examples'));
const names = files.map((file) => path.basename(file, '.json'));

/** A port where nobody listens: the pictures send no mail. */
const noMailbox = 9;

const page = await openPage();

let credentials: Credentials;
beforeAll(async () => {
	const name = 'Browser examples';
	credentials = {
		dataCollection: await createCredential(rest, name, { webhookSecret: newSecret() }),
		smtp: await rest.createCredential(name, smtpType, smtpFields(noMailbox)),
	};
});

test.each(names)('%s: all of it is seen at once', async (name) => {
	const webhookUrl = 'https://n8n.example.com/webhook/an-id/webhook';
	const options = { rest, name, credentials, templateId: 'template', webhookUrl };
	const { id, nodes } = await importExample(options);
	await openWorkflow(page, id);
	await page.getByTestId('zoom-to-fit').click();
	for (const { name: title } of nodes.filter(({ type }) => !type.endsWith('stickyNote'))) {
		await page.getByTestId('canvas-node').filter({ hasText: title }).first().waitFor();
	}
	await picture(page, `examples-${name}`);
});
