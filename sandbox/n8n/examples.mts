import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../shared/paths.mts';
import type { Credential, WorkflowFile, WorkflowNode } from './types.mts';

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
export interface Credentials {
	dataCollection: Credential;
	smtp: Credential;
}

const folder = path.join(root, 'examples');

/**
 * The names of all examples, for example `form-to-email`, in alphabetical order. Without the practice
 * service: nothing in it is filled in when it is imported, and the sandbox has a service of its own.
 */
export async function exampleNames(): Promise<string[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
	const names = files.map((file) => path.basename(file, '.json')).sort();
	return names.filter((name) => name !== 'practice-service');
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
