import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../shared/paths.mts';
import { publish } from './publish.mts';
import type { N8nRest } from './rest.mts';
import type { Credential, Workflow, WorkflowFile, WorkflowNode } from './types.mts';

/** Type name of our credential in n8n. */
export const credentialType = 'dataCollectionApi';

/** Type names of our nodes in n8n. */
export const actionType = 'n8n-nodes-data-collection.dataCollection';
export const triggerType = 'n8n-nodes-data-collection.dataCollectionTrigger';

/** Type names of the built-in n8n credential and nodes that the examples use. */
export const smtpType = 'smtp';
export const formType = 'n8n-nodes-base.formTrigger';
export const webhookType = 'n8n-nodes-base.webhook';

/** The credentials that an example's nodes get. */
type Credentials = Record<'dataCollection' | 'smtp', Credential>;

const folder = path.join(root, 'examples');

/** The names of all examples, for example `form-to-email`, in alphabetical order. */
export async function exampleNames(): Promise<string[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
	return files.map((file) => path.basename(file, '.json')).sort();
}

/** A workflow from the `examples` folder, for example `form-to-email`. */
export async function readExample(name: string): Promise<WorkflowFile> {
	return JSON.parse(await readFile(path.join(folder, `${name}.json`), 'utf8')) as WorkflowFile;
}

/** The workflow's first node of this type. */
export function findNode({ nodes }: WorkflowFile, type: string): WorkflowNode | undefined {
	return nodes.find((node) => node.type === type);
}

/** The production URL of the workflow's trigger, for a collection request's Webhook URL. */
export function triggerUrl(n8nUrl: string, workflow: WorkflowFile): string {
	return `${n8nUrl}/webhook/${findNode(workflow, triggerType)?.webhookId ?? ''}/webhook`;
}

/** The URL of the form that starts the workflow; undefined if there is none. */
export function formUrl(n8nUrl: string, workflow: WorkflowFile): string | undefined {
	const form = findNode(workflow, formType);
	return form === undefined ? undefined : `${n8nUrl}/form/${form.webhookId ?? ''}`;
}

/** As a tool of an AI agent, the same node has another type name. */
const actionTypes = [actionType, `${actionType}Tool`];
const emailTypes = ['n8n-nodes-base.emailSend', 'n8n-nodes-base.emailSendTool'];

/** These nodes only work while the workflow is published. */
const publishedTypes = [triggerType, formType, webhookType];

interface ImportOptions {
	credentials: Credentials;
	/** The credential's API base URL, for the field where people enter it. */
	baseUrl: string;
	/** For our nodes with this field. */
	webhookUrl: string;
}

/** Creates a workflow from an example, with what a person would fill in. */
export async function importExample(
	rest: N8nRest,
	file: WorkflowFile,
	{ credentials, baseUrl, webhookUrl }: ImportOptions,
): Promise<Workflow> {
	for (const node of file.nodes) {
		chooseCredential(node, credentials);
		// An empty Webhook URL is not in the file, as it is the default.
		if (node.parameters.notify === 'trigger') node.parameters.webhookUrl = webhookUrl;
		if (node.type === 'n8n-nodes-base.set') enter(node, { baseUrl });
	}
	return await rest.createWorkflow(file);
}

/** Publishes a workflow that a form, a notification or a webhook starts: it is live on return. */
export async function goLive(rest: N8nRest, workflow: Workflow): Promise<Workflow> {
	const needsIt = publishedTypes.some((type) => findNode(workflow, type) !== undefined);
	return needsIt ? await publish(rest, workflow) : workflow;
}

/** For nodes that take ours or send mails. */
function chooseCredential(node: WorkflowNode, { dataCollection, smtp }: Credentials): void {
	const { type, parameters } = node;
	const isOurs = type === triggerType || actionTypes.includes(type);
	const takesOurs = isOurs || parameters.nodeCredentialType === credentialType;
	const chosen = takesOurs ? dataCollection : emailTypes.includes(type) ? smtp : undefined;
	if (chosen) node.credentials = { [chosen.type]: { id: chosen.id, name: chosen.name } };
}

/** Fills in the fields of an Edit Fields node. */
function enter({ parameters }: WorkflowNode, values: Record<string, string>): void {
	const { assignments } = parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	for (const field of assignments) field.value = values[field.name] ?? field.value;
}
