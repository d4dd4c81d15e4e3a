import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { goLive, importExample, readExample } from '../../sandbox/n8n/examples.mts';
import { smtpType, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { smtpFields } from '../../sandbox/n8n/setup.mts';
import { startMailbox, type Mail } from '../../sandbox/mailbox.mts';
import type { Execution, Json } from '../../sandbox/n8n/types.mts';
import type { Workflow, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { addressesOf, createCredential, newSecret } from './credential.mts';
import { n8nUrl, rest } from './environment.mts';
import { startByWebhook, waits, waitTracker } from './executions.mts';
import { statusOf, succeeded } from './executions.mts';
import { person } from './people.mts';
import { openService } from './service/service.mts';
import { webhookNode } from './workflows.mts';

/** The trigger with which people start the examples. */
export const buttonName = 'When you press the button';

/** The address to which the examples report that something needs a person. */
export const office = 'office@example.com';

/** What the tests of one example need: separate credentials, a separate mailbox, and a service. */
export async function openBench(name: string) {
	const service = await openService();
	const mailbox = await startMailbox();
	afterAll(mailbox.stop);
	const title = `E2E example ${name}`;
	const secret = newSecret();
	const fields = { webhookSecret: secret, ...addressesOf(service) };
	const credentials = {
		dataCollection: await createCredential(title, fields),
		smtp: await rest.createCredential(title, smtpType, smtpFields(mailbox.smtpPort)),
	};
	const entered = { credentials, baseUrl: service.url };
	return {
		secret,
		service,
		...mailsIn(mailbox.mailsTo),
		/** Imports a copy of an example as the sandbox does; its collection requests notify its own trigger. */
		load: async (example: string, change: Change = (file) => file, webhookUrl?: string) => {
			const file = withNewAddresses(change(await readExample(example)));
			const own = triggerUrl(n8nUrl, file);
			const filledIn = { ...entered, webhookUrl: webhookUrl ?? own };
			return await goLive(rest, await importExample(rest, file, filledIn));
		},
	};
}

/** So that n8n can have it more than once; the editor does the same on import. */
function withNewAddresses(file: WorkflowFile): WorkflowFile {
	for (const node of file.nodes) {
		const path = randomUUID();
		if (node.webhookId !== undefined) node.webhookId = path;
		if (node.parameters.path !== undefined) node.parameters.path = path;
	}
	return file;
}

/** The mails that a mailbox has received. */
function mailsIn(received: (to?: string) => Mail[]) {
	/** Every mail so far, oldest first; only those to `to` if it is given. */
	const mails = (to?: string) => received(to).toReversed();
	/** The only mail to an address, once it has arrived. */
	const mailTo = async (to: string) => {
		const [mail, ...more] = await until(`a mail to ${to}`, () => {
			const found = mails(to);
			return found.length > 0 ? found : undefined;
		});
		assert.ok(mail);
		expect([more, mail.to]).toStrictEqual([[], [to]]);
		return mail;
	};
	/** The link in the first mail to an address, once it has arrived. */
	const linkTo = (to: string) => until(`a mail to ${to}`, () => mails(to)[0]?.links[0]);
	return { mails, mailTo, linkTo };
}

/** Executes a workflow from one of its triggers; the execution must succeed. */
export const runFrom = async ({ id }: Workflow, start = buttonName): Promise<Execution> =>
	await succeeded(await rest.runManually(id, start));

/** Changes a workflow before it is created in n8n. */
export type Change = (file: WorkflowFile) => WorkflowFile;

/** No email to these people can be sent. */
export const refusing =
	(...names: string[]): Change =>
	(file) => {
		const emails = names.map((name) => `'${person(name).email}'`).join(', ');
		const to = `={{ [${emails}].includes($json.email) ? '' : $json.email }}`;
		return withText(file, '"toEmail":"={{ $json.email }}"', `"toEmail":"${to}"`);
	};

/** Ends a node's waits soon, but after all that comes before them, on a busy machine. */
export const shortly =
	(node: string, seconds = 10): Change =>
	(file) =>
		withNode(file, node, { resumeAmount: seconds, resumeUnit: 'seconds' });

/** What a page of n8n's Form node sends, with its fields in order. */
export function fields(values: string[]): FormData {
	const body = new FormData();
	for (const [index, value] of values.entries()) body.append(`field-${index}`, value);
	return body;
}

/**
 * Returns a function that starts a published copy of a waiting example each time it is called. A
 * webhook takes the place of the button: in a manual execution, Wait looks for itself.
 */
export const startsOf =
	(example: string) =>
	async (run: string, change: Change = (file) => file) => {
		const bench = await openBench(`${example}-${run}`);
		const webhook = { ...webhookNode(), name: buttonName };
		const workflow = await bench.load(example, (file) => {
			const { nodes, ...rest } = change(file);
			const others = nodes.filter(({ name }) => name !== buttonName);
			return { ...rest, nodes: [webhook, ...others] };
		});
		const executionId = await startByWebhook(workflow.id, webhook);
		return {
			...bench,
			executionId,
			status: () => statusOf(executionId),
			waits: () => waits(executionId),
			/** The execution, once it has succeeded. */
			ended: () => succeeded(executionId, waitTracker),
		};
	};

/** Tests by their titles. */
type Tests = Record<string, () => Promise<void>>;

/** The same tests, but each begins when the one before it has ended. */
export function inOrder(tests: Tests): Tests {
	let turn = Promise.resolve();
	const inTurn = (body: () => Promise<void>) => async () => {
		const result = turn.then(body);
		turn = result.catch(() => undefined);
		await result;
	};
	return Object.fromEntries(Object.entries(tests).map(([title, body]) => [title, inTurn(body)]));
}

/** Runs tests at the same time: they all start before the first one, and each waits for time limits. */
export function together(tests: Tests): void {
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
