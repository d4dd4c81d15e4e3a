import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../shared/paths.mts';
import type { Credential, Json, WorkflowFile, WorkflowNode } from './types.mts';

/** Type name of our credential in n8n. */
export const credentialType = 'dataCollectionApi';

/** Type names of our nodes in n8n. */
export const actionType = 'n8n-nodes-data-collection.dataCollection';
export const triggerType = 'n8n-nodes-data-collection.dataCollectionTrigger';

/** An agent's tool is the same node under a name of its own. */
const actionTypes = [actionType, `${actionType}Tool`];

/** Type names of n8n's own credential and nodes that the examples use. */
export const smtpType = 'smtp';
export const formType = 'n8n-nodes-base.formTrigger';
const emailTypes = ['n8n-nodes-base.emailSend', 'n8n-nodes-base.emailSendTool'];

/** What the nodes of an example are given. */
export interface Credentials {
	dataCollection: Credential;
	smtp: Credential;
}

const folder = path.join(root, 'examples');

/** The names of all examples, for example `form-to-email`, in the order of the alphabet. */
export async function exampleNames(): Promise<string[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
	return files.map((file) => path.basename(file, '.json')).sort();
}

/** A workflow of the folder examples, for example `form-to-email`. */
export async function readExample(name: string): Promise<WorkflowFile> {
	return JSON.parse(await readFile(path.join(folder, `${name}.json`), 'utf8')) as WorkflowFile;
}

function credentialFor({ type }: WorkflowNode, credentials: Credentials): Credential | undefined {
	if (emailTypes.includes(type)) return credentials.smtp;
	const isOurs = type === triggerType || actionTypes.includes(type);
	return isOurs ? credentials.dataCollection : undefined;
}

/** The workflow with a credential chosen in every node of ours and in those that send mails. */
export function withCredentials(workflow: WorkflowFile, credentials: Credentials): WorkflowFile {
	const choose = (node: WorkflowNode) => {
		const chosen = credentialFor(node, credentials);
		if (chosen === undefined) return node;
		const { id, name, type } = chosen;
		return { ...node, credentials: { [type]: { id, name } } };
	};
	return { ...workflow, nodes: workflow.nodes.map(choose) };
}

/**
 * The workflow with parameters changed in those nodes of ours that have them; one that an
 * expression fills stays as it is.
 */
export function withParameters(workflow: WorkflowFile, changes: Json): WorkflowFile {
	const isFixed = (value: unknown) => typeof value === 'string' && !value.startsWith('=');
	const change = (node: WorkflowNode) => {
		if (!actionTypes.includes(node.type)) return node;
		const fixed = Object.entries(changes).filter(([name]) => isFixed(node.parameters[name]));
		return { ...node, parameters: { ...node.parameters, ...Object.fromEntries(fixed) } };
	};
	return { ...workflow, nodes: workflow.nodes.map(change) };
}

/** The workflow under webhook addresses of its own, as the editor gives it one on import. */
export function withOwnAddresses(workflow: WorkflowFile): WorkflowFile {
	const renew = (node: WorkflowNode) =>
		node.webhookId === undefined ? node : { ...node, webhookId: randomUUID() };
	return { ...workflow, nodes: workflow.nodes.map(renew) };
}

/** The workflow's first node of a type. */
export function findNode({ nodes }: WorkflowFile, type: string): WorkflowNode | undefined {
	return nodes.find((node) => node.type === type);
}

/** The production URL of the workflow's trigger: what a request's Webhook URL has to be. */
export function triggerUrl(n8nUrl: string, workflow: WorkflowFile): string {
	return `${n8nUrl}/webhook/${findNode(workflow, triggerType)?.webhookId ?? ''}/webhook`;
}

/** Where people find the form that starts the workflow; undefined when it has none. */
export function formUrl(n8nUrl: string, workflow: WorkflowFile): string | undefined {
	const form = findNode(workflow, formType);
	return form === undefined ? undefined : `${n8nUrl}/form/${form.webhookId ?? ''}`;
}
