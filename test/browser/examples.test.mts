import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { smtpFields } from '../../sandbox/n8n/credentials.mts';
import { smtpType } from '../../sandbox/n8n/examples.mts';
import type { Credentials } from '../../sandbox/n8n/examples.mts';
import { importExample } from '../../sandbox/n8n/importExample.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { useBrowser } from './support/browser.mts';
import { openWorkflow } from './support/editor.mts';
import { picture } from './support/pictures.mts';

const files = await readdir(path.join(root, 'examples'));
const names = files.map((file) => path.basename(file, '.json'));

/** A port where nobody listens: the pictures send no mail. */
const noMailbox = 9;

describe('the examples on the canvas', () => {
	const rest = openRest();
	const browser = useBrowser();
	let credentials: Credentials;
	beforeAll(async () => {
		const name = 'Browser examples';
		credentials = {
			dataCollection: await createCredential(rest, name, { webhookSecret: newSecret() }),
			smtp: await rest.createCredential(name, smtpType, smtpFields(noMailbox)),
		};
	});

	for (const name of names) {
		test(`${name}: all of it is seen at once`, async () => {
			const { page } = browser;
			const { id, nodes } = await importExample({
				rest,
				name,
				credentials,
				templateId: 'template',
				webhookUrl: 'https://n8n.example.com/webhook/an-id/webhook',
			});
			await openWorkflow(page, id);
			await page.getByTestId('zoom-to-fit').click();
			for (const { name: title } of nodes.filter(({ type }) => !type.endsWith('stickyNote'))) {
				await page.getByTestId('canvas-node').filter({ hasText: title }).first().waitFor();
			}
			await picture(page, `examples-${name}`);
		});
	}
});
