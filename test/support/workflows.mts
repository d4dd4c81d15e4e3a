import { randomUUID } from 'node:crypto';
import { actionType, credentialType, triggerType } from '../../sandbox/n8n/examples.mts';
import type { Credential, Json, WorkflowFile, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { connectionsOf } from './edges.mts';

export const triggerName = 'Data Collection Trigger';
export const manualName = 'Start';

/** A node at the origin of the canvas. */
export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Json,
): WorkflowNode {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}

/** One of the nodes that take our credential, with it. */
export function withCredential(nodeOfOurs: WorkflowNode, credential: Credential): WorkflowNode {
	const { id, name } = credential;
	return { ...nodeOfOurs, credentials: { [credentialType]: { id, name } } };
}

/** Our trigger with a unique webhook path. */
export function triggerNode(credential: Credential, parameters: Json = {}): WorkflowNode {
	const given = { triggerOn: 'anyStatus', filters: {}, options: {}, ...parameters };
	const trigger = node(triggerName, triggerType, 1.1, given);
	return { ...withCredential(trigger, credential), webhookId: randomUUID() };
}

/** Our action node. */
export function actionNode(name: string, credential: Credential, parameters: Json): WorkflowNode {
	return withCredential(node(name, actionType, 1.1, { options: {}, ...parameters }), credential);
}

/** The node that the editor's button starts from. */
export const manualNode = () => node(manualName, 'n8n-nodes-base.manualTrigger', 1, {});

/** Starts a published workflow by a POST to a unique path; n8n responds at once. */
export function webhookNode(): WorkflowNode {
	const parameters = { httpMethod: 'POST', path: randomUUID(), options: {} };
	return { ...node('Webhook', 'n8n-nodes-base.webhook', 2, parameters), webhookId: randomUUID() };
}

/** n8n's Edit Fields node: keeps all fields and adds one. */
export function setNode(name: string, field: string, value: string): WorkflowNode {
	const assignments = [{ id: randomUUID(), name: field, value, type: 'string' }];
	return node(name, 'n8n-nodes-base.set', 3.4, {
		assignments: { assignments },
		includeOtherFields: true,
		options: {},
	});
}

/** n8n's Split Out node: an item for each element of a list. */
export const splitNode = (field: string) =>
	node('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: field, options: {} });

/** A workflow with these connections, as `edges.mts` describes them. */
export function graph(name: string, nodes: WorkflowNode[], paths: string[]): WorkflowFile {
	const connections = connectionsOf(paths);
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** A workflow whose nodes run one after the other. */
export const chain = (name: string, nodes: WorkflowNode[]): WorkflowFile =>
	graph(name, nodes, [nodes.map((one) => one.name).join(' -> ')]);
