import assert from 'node:assert/strict';
import path from 'node:path';
import { smtpFields } from '../../sandbox/n8n/credentials.mts';
import { smtpType, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { importExample, type ImportOptions } from '../../sandbox/n8n/importExample.mts';
import { readMails } from '../../sandbox/mailbox/client.mts';
import type { Mail } from '../../sandbox/mailbox/mails.mts';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import type { Workflow, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { startMailbox } from '../../sandbox/shared/mailbox.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { createCredential, newSecret } from './credential.mts';
import { n8nUrl, openRest, userFolder } from './environment.mts';
import { statusOf, succeeded } from './executions.mts';
import { openFront } from './front.mts';
import { nodeName, runNode } from './runNode.mts';
import { ada, ben } from './sandboxService.mts';
import { until } from './until.mts';
import { waits } from './waiting.mts';

/** A collection request as Create puts it out. */
export interface Asked {
	requestId: string;
	guestLink: string;
}

/** What the tests of one example need: credentials and a mailbox of their own. */
export type ExampleBench = Awaited<ReturnType<typeof openBench>>;

const rest = openRest();

/** Starts a mailbox and makes the credentials. */
export async function openBench(name: string) {
	const front = await openFront();
	const [port = 0, smtpPort = 0] = await freePorts(2);
	const logFile = path.join(userFolder, `mailbox-${name}.log`);
	const mailbox = await startMailbox({ port, smtpPort, logFile });
	const title = `E2E example ${name}`;
	const fields = { webhookSecret: newSecret(), productionBaseUrl: front.url };
	const credentials = {
		dataCollection: await createCredential(rest, title, fields),
		smtp: await rest.createCredential(title, smtpType, smtpFields(smtpPort)),
	};
	const webhookUrl = (own: WorkflowFile) => triggerUrl(n8nUrl, own);
	/** Every mail so far, oldest first; only those to one address when it is given. */
	const mails = async (to?: string) => (await readMails(mailbox.url, to)).reverse();
	/** The mails to an address once there are `count`, oldest first. */
	const mailsTo = (to: string, count = 1) =>
		until(`${count} mails to ${to}`, async () => {
			const found = await mails(to);
			return found.length >= count ? found : undefined;
		});
	const templateId = 'e2e-template';
	const entered = { templateId, baseUrl: front.url, webhookUrl };
	return {
		...{ credentials, front, mails, mailsTo },
		/** Imports an example as the sandbox does; one that the service starts reports to itself. */
		load: (example: string, options?: Partial<ImportOptions>) =>
			importExample({ ...{ rest, name: example, credentials }, ...entered, ...options }),
		/** Has Create ask Ada and Ben and report to a workflow; answers what it puts out. */
		create: async (workflow: Workflow, additionalFields: Json = {}) => {
			const parameters = {
				...{ resource: 'collectionRequest', operation: 'create', templateId },
				...{ minimumParticipants: 2, maximumParticipants: 2, participantsMode: 'json' },
				...{ participantsJson: JSON.stringify([ada, ben]), additionalFields },
				...{ notify: 'trigger', webhookUrl: triggerUrl(n8nUrl, workflow) },
			};
			const credential = credentials.dataCollection;
			const execution = await runNode({ rest, name: title, credential, parameters });
			return outputOf(execution, nodeName)[0] as unknown as Asked;
		},
		/** The only mail to an address, once it is there. */
		mailTo: async (to: string) => {
			const [mail, ...more] = await mailsTo(to);
			assert.ok(mail);
			assert.deepEqual([more.length, mail.to], [0, [to]]);
			return mail;
		},
		close: () => mailbox.stop(),
	};
}

/** n8n looks for waits that are over only once a minute. */
export const waitTracker = 100_000;

/** What starts an example that waits, as often as it is called; closes all at the file's end. */
export function startsOf(example: string) {
	const benches: ExampleBench[] = [];
	afterAll(async () => {
		for (const bench of benches) await bench.close();
	});
	return async (run: string, change?: ImportOptions['change']) => {
		const bench = await openBench(`${example}-${run}`);
		benches.push(bench);
		const { id } = await bench.load(example, { change });
		const executionId = await rest.runManually(id, buttonName);
		return {
			...{ ...bench, executionId },
			status: () => statusOf(rest, executionId),
			waits: () => waits(rest, executionId),
			/** When n8n ends the wait at the latest, in milliseconds from now. */
			limit: async () => {
				const route = `/rest/executions/${executionId}`;
				const { waitTill } = await rest.send<{ waitTill: string }>('GET', route);
				return new Date(waitTill).getTime() - Date.now();
			},
			/** The execution once it has ended well. */
			ended: () => succeeded(rest, executionId, waitTracker),
			/** The link in the first email to somebody. */
			linkOf: async (email: string) => (await bench.mailsTo(email))[0]?.links[0] ?? '',
		};
	};
}

/** The trigger by which people start the examples. */
export const buttonName = 'When you press the button';

/** The workflow with parameters changed in the node of a name. */
export function withNode(workflow: WorkflowFile, name: string, changes: Json): WorkflowFile {
	const found = workflow.nodes.filter((node) => node.name === name);
	if (found.length !== 1) throw new Error(`"${workflow.name}" has no node "${name}"`);
	const change = (node: WorkflowFile['nodes'][number]) =>
		node.name === name ? { ...node, parameters: { ...node.parameters, ...changes } } : node;
	return { ...workflow, nodes: workflow.nodes.map(change) };
}

/** The workflow with another text in place of one that it has. */
export function withText(workflow: WorkflowFile, text: string, other: string): WorkflowFile {
	const json = JSON.stringify(workflow);
	if (!json.includes(text)) throw new Error(`"${workflow.name}" has no "${text}"`);
	return JSON.parse(json.replaceAll(text, other)) as WorkflowFile;
}

/** The lines of a mail's text that say something. */
export const linesOf = ({ text }: Mail) =>
	text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
