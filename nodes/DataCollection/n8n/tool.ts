import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

/**
 * Whether an AI Agent uses the node, under a type of its own. The agent sees only the first output.
 */
export const isTool = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool');

/** Whether an older AI Agent itself runs this node as a tool, instead of n8n. */
export const isInsideAgent = (context: IExecuteFunctions): boolean =>
	context.getExecuteData().node.name !== context.getNode().name;

/** A field that is shown under a condition, but always in a tool, which has its own form. */
export const alwaysInTool = (
	field: INodeProperties,
	show: Record<string, string[]>,
): INodeProperties[] => [
	{ ...field, displayOptions: { show: { ...show, '@tool': [false] } } },
	{ ...field, displayOptions: { show: { '@tool': [true] } } },
];
