import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../shared/paths.mts';
import type { Credential, Json, WorkflowFile, WorkflowNode } from './types.mts';

/** Type name of our credential in n8n. */
export const credentialType = 'dataCollectionApi';

/** Type names of our nodes in n8n. */
export const actionType = 'n8n-nodes-data-collection.dataCollection';
export const triggerType = 'n8n-nodes-data-collection.dataCollectionTrigger';

/** A workflow of the folder examples, for example `create-request`. */
export async function readExample(name: string): Promise<WorkflowFile> {
	const text = await readFile(path.join(root, 'examples', `${name}.json`), 'utf8');
	return JSON.parse(text) as WorkflowFile;
}

/** The workflow with the credential chosen in every node of ours. */
export function withCredential(workflow: WorkflowFile, credential: Credential): WorkflowFile {
	const { id, name } = credential;
	const isOurs = ({ type }: WorkflowNode) => type === actionType || type === triggerType;
	const choose = (node: WorkflowNode) =>
		isOurs(node) ? { ...node, credentials: { [credentialType]: { id, name } } } : node;
	return { ...workflow, nodes: workflow.nodes.map(choose) };
}

/** The workflow with parameters changed in all nodes of one type. */
export function withParameters(workflow: WorkflowFile, type: string, changes: Json): WorkflowFile {
	const change = (node: WorkflowNode) =>
		node.type === type ? { ...node, parameters: { ...node.parameters, ...changes } } : node;
	return { ...workflow, nodes: workflow.nodes.map(change) };
}

/** The production URL of the workflow's trigger: what a request's Webhook URL has to be. */
export function triggerUrl(n8nUrl: string, { nodes }: WorkflowFile): string {
	const trigger = nodes.find(({ type }) => type === triggerType);
	return `${n8nUrl}/webhook/${trigger?.webhookId ?? ''}/webhook`;
}
