import path from 'node:path';
import { smtpFields } from '../../sandbox/n8n/credentials.mts';
import { smtpType, type Credentials } from '../../sandbox/n8n/examples.mts';
import { importExample, type ImportOptions } from '../../sandbox/n8n/importExample.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Json, Workflow, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { readMails } from '../../sandbox/mailbox/client.mts';
import type { Mail } from '../../sandbox/mailbox/mails.mts';
import { startMailbox } from '../../sandbox/shared/mailbox.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { createCredential, newSecret } from './credential.mts';
import { openRest, userFolder } from './environment.mts';
import { until } from './until.mts';

/** What the tests of one example need: n8n, credentials and a mailbox of their own. */
export interface ExampleBench {
	rest: N8nRest;
	credentials: Credentials;
	/** Imports an example as the sandbox does; a form or a trigger is published then. */
	load(name: string, options?: Partial<ImportOptions>): Promise<Workflow>;
	/** Every mail so far, oldest first; only those to one address when it is given. */
	mails(to?: string): Promise<Mail[]>;
	/** The mails to an address once there are `count`, oldest first. */
	mailsTo(to: string, count?: number): Promise<Mail[]>;
	close(): Promise<void>;
}

/** Starts a mailbox and makes the credentials; `fields` change ours. */
export async function openBench(name: string, fields: Json = {}): Promise<ExampleBench> {
	const rest = openRest();
	const [port = 0, smtpPort = 0] = await freePorts(2);
	const logFile = path.join(userFolder, `mailbox-${name}.log`);
	const mailbox = await startMailbox({ port, smtpPort, logFile });
	const title = `E2E example ${name}`;
	const credentials = {
		dataCollection: await createCredential(rest, title, { webhookSecret: newSecret(), ...fields }),
		smtp: await rest.createCredential(title, smtpType, smtpFields(smtpPort)),
	};
	const mails = async (to?: string) => (await readMails(mailbox.url, to)).reverse();
	return {
		...{ rest, credentials, mails },
		load: (example, options) =>
			importExample({ rest, name: example, credentials, templateId: 'e2e-template', ...options }),
		mailsTo: (to, count = 1) =>
			until(`${count} mails to ${to}`, async () => {
				const found = await mails(to);
				return found.length >= count ? found : undefined;
			}),
		close: () => mailbox.stop(),
	};
}

/** The workflow with parameters changed in the node of a name. */
export function withNode(workflow: WorkflowFile, name: string, changes: Json): WorkflowFile {
	const found = workflow.nodes.filter((node) => node.name === name);
	if (found.length !== 1) throw new Error(`"${workflow.name}" has no node "${name}"`);
	const change = (node: WorkflowFile['nodes'][number]) =>
		node.name === name ? { ...node, parameters: { ...node.parameters, ...changes } } : node;
	return { ...workflow, nodes: workflow.nodes.map(change) };
}

/** The lines of a mail's text that say something. */
export const linesOf = ({ text }: Mail) =>
	text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
