import { randomUUID } from 'node:crypto';
import { actionType, credentialType, triggerType } from '../../sandbox/n8n/examples.mts';
import type { Credential, Json, WorkflowFile, WorkflowNode } from '../../sandbox/n8n/types.mts';

/** A node of n8n's own, by its short type name. */
export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Json = {},
): WorkflowNode {
	const full = type.includes('.') ? type : `n8n-nodes-base.${type}`;
	return { id: randomUUID(), name, type: full, typeVersion, position: [0, 0], parameters };
}

/** The node with a credential of the package. */
export function withCredential(given: WorkflowNode, { id, name }: Credential): WorkflowNode {
	return { ...given, credentials: { [credentialType]: { id, name } } };
}

/** The package's trigger. */
export function triggerNode(credential: Credential): WorkflowNode {
	const parameters = { triggerOn: 'anyStatus', filters: {}, options: {} };
	const trigger = node('Data Collection Trigger', triggerType, 1.1, parameters);
	return { ...withCredential(trigger, credential), webhookId: randomUUID() };
}

/** The package's action node. */
export const actionNode = (name: string, credential: Credential, parameters: Json) =>
	withCredential(node(name, actionType, 1.1, parameters), credential);

/** n8n's Webhook node, which checks nothing and responds at once. */
export function webhookNode(options: Json = {}): WorkflowNode {
	const parameters = { httpMethod: 'POST', path: randomUUID(), options };
	return { ...node('Webhook', 'webhook', 2, parameters), webhookId: randomUUID() };
}

/** A workflow whose nodes run one after the other. */
export function chain(name: string, nodes: WorkflowNode[]): WorkflowFile {
	const next = (index: number) => nodes.slice(index + 1, index + 2);
	const connections = nodes.map((one, index) => {
		const to = next(index).map((other) => ({ node: other.name, type: 'main', index: 0 }));
		return [one.name, { main: [to] }] as const;
	});
	const settings = { executionOrder: 'v1' };
	return { name, nodes, connections: Object.fromEntries(connections), settings };
}
