import assert from 'node:assert/strict';
import { smtpFields } from '../../sandbox/n8n/credentials.mts';
import { smtpType, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { importExample, type ImportOptions } from '../../sandbox/n8n/importExample.mts';
import { readMails } from '../../sandbox/mailbox/client.mts';
import { startMailbox } from '../../sandbox/mailbox/start.mts';
import type { Mail } from '../../sandbox/mailbox/mails.mts';
import { outputOf, type Execution, type Json } from '../../sandbox/n8n/types.mts';
import type { Workflow, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from './credential.mts';
import { n8nUrl, rest } from './environment.mts';
import { nodeName, runNode, startByWebhook, waits, waitTracker } from './executions.mts';
import { statusOf, succeeded } from './executions.mts';
import { openFront } from './front.mts';
import { createForTwo } from './sandboxService.mts';
import { until } from './until.mts';
import { webhookNode } from './workflows.mts';

/** A collection request as output by Create. */
export interface Asked {
	requestId: string;
	guestLink: string;
}

/** The trigger with which people start the examples. */
export const buttonName = 'When you press the button';

/** The address to which the examples report that something needs a person. */
export const office = 'office@example.com';

/** What the tests of one example need: separate credentials, a separate mailbox, and a service. */
export async function openBench(name: string) {
	const front = await openFront();
	const mailbox = await startMailbox();
	afterAll(mailbox.stop);
	const title = `E2E example ${name}`;
	const fields = { webhookSecret: newSecret(), productionBaseUrl: front.url };
	const credentials = {
		dataCollection: await createCredential(title, fields),
		smtp: await rest.createCredential(title, smtpType, smtpFields(mailbox.smtpPort)),
	};
	const webhookUrl = (own: WorkflowFile) => triggerUrl(n8nUrl, own);
	const templateId = 'e2e-template';
	const entered = { templateId, baseUrl: front.url, webhookUrl };
	return {
		credentials,
		front,
		...mailsIn(mailbox.url),
		/** Imports an example as the sandbox does; one that the service starts receives its own notifications. */
		load: (example: string, options?: Partial<ImportOptions>) =>
			importExample({ rest, name: example, credentials, ...entered, ...options }),
		/** Makes Create ask Ada and Ben and notify a workflow; returns Create's output. */
		create: async (workflow: Workflow, additionalFields: Json = {}) => {
			const webhookUrl = triggerUrl(n8nUrl, workflow);
			const notify = { notify: 'trigger', webhookUrl };
			const parameters = { ...createForTwo, additionalFields, ...notify };
			const credential = credentials.dataCollection;
			const execution = await runNode({ name: title, credential, parameters });
			return outputOf(execution, nodeName)[0] as unknown as Asked;
		},
	};
}

/** The mails that a mailbox has received. */
function mailsIn(url: string) {
	/** Every mail so far, oldest first; only those to `to` if it is given. */
	const mails = async (to?: string) => (await readMails(url, to)).reverse();
	/** The mails to an address once there are `count`, oldest first. */
	const mailsTo = (to: string, count = 1) =>
		until(`${count} mails to ${to}`, async () => {
			const found = await mails(to);
			return found.length >= count ? found : undefined;
		});
	/** The only mail to an address, once it has arrived. */
	const mailTo = async (to: string) => {
		const [mail, ...more] = await mailsTo(to);
		assert.ok(mail, `No mail to ${to}`);
		expect(more).toStrictEqual([]);
		expect(mail.to).toStrictEqual([to]);
		return mail;
	};
	return { mails, mailsTo, mailTo };
}

/** Executes a workflow from one of its triggers; the execution must succeed. */
export const runFrom = async ({ id }: Workflow, start = buttonName): Promise<Execution> =>
	await succeeded(await rest.runManually(id, start));

type Change = ImportOptions['change'];

/**
 * Returns a function that starts a published copy of a waiting example each time it is called. A
 * webhook takes the place of the button: in a manual execution, Wait looks for itself.
 */
export const startsOf =
	(example: string) =>
	async (run: string, change: Change = (file) => file) => {
		const bench = await openBench(`${example}-${run}`);
		const webhook = { ...webhookNode(), name: buttonName };
		const workflow = await bench.load(example, {
			change: (file) => {
				const { nodes, ...rest } = change(file);
				const others = nodes.filter(({ name }) => name !== buttonName);
				return { ...rest, nodes: [webhook, ...others] };
			},
		});
		const executionId = await startByWebhook(workflow.id, webhook);
		return {
			...bench,
			executionId,
			status: () => statusOf(executionId),
			waits: () => waits(executionId),
			/** The execution, once it has succeeded. */
			ended: () => succeeded(executionId, waitTracker),
			/** The link in the first email to this address. */
			linkOf: async (email: string) => (await bench.mailsTo(email))[0]?.links[0] ?? '',
		};
	};

/** Tests by their titles, which all start before the first one: each waits for time limits. */
export function together(tests: Record<string, () => Promise<void>>): void {
	const running = new Map<string, Promise<void>>();
	beforeAll(() => {
		for (const [title, body] of Object.entries(tests)) {
			const result = body();
			// Its own test reports a failure, perhaps long after it happened.
			result.catch(() => undefined);
			running.set(title, result);
		}
	});
	for (const title of Object.keys(tests)) test(title, async () => await running.get(title));
}

/** A copy of an example that is executed step by step, as with Execute step in the editor. */
export async function stepsOf(example: string, run: string, change: Change) {
	const bench = await openBench(`${example}-${run}`);
	const { id } = await bench.load(example, { change });
	let runData: Json = {};
	const step = async (nodeName: string): Promise<Execution> => {
		const { executionId } = await rest.send<{ executionId: string }>(
			...(['POST', `/rest/workflows/${id}/run`] as const),
			{ runData, destinationNode: { nodeName, mode: 'inclusive' }, dirtyNodeNames: [] },
		);
		const execution = await succeeded(executionId);
		runData = execution.data.resultData.runData;
		return execution;
	};
	const linkOf = async (email: string) => (await bench.mailsTo(email))[0]?.links[0] ?? '';
	return { ...bench, step, linkOf };
}

/** The workflow with changed parameters in the named node. */
export function withNode(workflow: WorkflowFile, name: string, changes: Json): WorkflowFile {
	const found = workflow.nodes.filter((node) => node.name === name);
	if (found.length !== 1) throw new Error(`"${workflow.name}" has no node "${name}"`);
	const change = (node: WorkflowFile['nodes'][number]) =>
		node.name === name ? { ...node, parameters: { ...node.parameters, ...changes } } : node;
	return { ...workflow, nodes: workflow.nodes.map(change) };
}

/** The workflow with one of its texts replaced. */
export function withText(workflow: WorkflowFile, text: string, other: string): WorkflowFile {
	const json = JSON.stringify(workflow);
	if (!json.includes(text)) throw new Error(`"${workflow.name}" has no "${text}"`);
	return JSON.parse(json.replaceAll(text, other)) as WorkflowFile;
}

/** The lines of a mail's text that are not empty. */
export const linesOf = ({ text }: Mail) =>
	text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
