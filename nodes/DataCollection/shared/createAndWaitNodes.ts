import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { downstreamNodes, type NodeContext, upstreamNodes } from '../n8n/graph';

const doing =
	(operation: string) =>
	({ parameters }: { parameters?: INodeParameters }): boolean =>
		parameters?.operation === operation;

/** The Create operations before a node, by default before this node, farthest first. */
export const createsBefore = (context: NodeContext, name?: string) =>
	upstreamNodes(context, name).filter(doing('create'));

export const waitsAfter = (context: IExecuteFunctions) =>
	downstreamNodes(context).filter(doing('wait'));
