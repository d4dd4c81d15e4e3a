import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';

import { workflowOf } from './executionData';

/** The context of an execution, or of a call of a webhook. */
export type NodeContext = Pick<IExecuteFunctions, 'getNode' | 'getParentNodes'>;

/** Nearest first. */
export const nodesBefore = (context: IExecuteFunctions) =>
	context
		.getParentNodes(context.getNode().name)
		.filter(({ disabled }) => !disabled)
		.reverse();

/** Disabled nodes pass on what they get. */
function isOwnType(context: NodeContext) {
	const own = context.getNode().type;
	return ({ type, disabled }: NodeTypeAndVersion) => type === own && !disabled;
}

/** The nodes of this type before a node, by default before this node, farthest first. */
export const upstreamNodes = (context: NodeContext, name = context.getNode().name) =>
	context
		.getParentNodes(name, { includeNodeParameters: true })
		.filter(isOwnType(context))
		.filter((node) => node.name !== name);

export function upstreamTrigger(context: IExecuteFunctions) {
	const { name, type } = context.getNode();
	return context.getParentNodes(name).find((node) => node.type === `${type}Trigger`);
}

/**
 * Whether this node certainly runs once: it is in no loop, and behind nodes with one input each.
 */
export function runsOnce(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const before = context.getParentNodes(name).map((node) => node.name);
	const isInLoop = context.getChildNodes(name).some((node) => before.includes(node.name));
	const isSingle = (node: string) => context.getParentNodes(node, { depth: 1 }).length < 2;
	return !isInLoop && [name, ...before].every(isSingle);
}

/** The nodes of this type after this node, farthest first. */
export const downstreamNodes = (context: IExecuteFunctions): NodeTypeAndVersion[] =>
	context
		.getChildNodes(context.getNode().name, { includeNodeParameters: true })
		.filter(isOwnType(context));

/** Whether a node has a connection at each of its outputs; no entry where that cannot be known. */
export const isConnected = (context: IExecuteFunctions, name: string): boolean[] =>
	(workflowOf(context)?.connectionsBySourceNode[name]?.main ?? []).map(
		(connections) => (connections ?? []).length > 0,
	);

/** Whether this node is connected with that node directly, and with others. */
export function isBesideOthers(context: IExecuteFunctions, name: string): boolean {
	const own = context.getNode().name;
	const isDirect = (node: string) =>
		context.getParentNodes(node, { depth: 1 }).some((parent) => parent.name === own);
	if (!isDirect(name)) return false;
	return context.getChildNodes(own).some((child) => child.name !== name && isDirect(child.name));
}
