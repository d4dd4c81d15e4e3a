import type { IExecuteFunctions } from 'n8n-workflow';

import { userError } from './errors';
import { executionOf, workflowOf } from './execution';

/**
 * For an operation that outputs nothing by an output that others depend on. n8n's setting would add
 * an empty item there: the workflow would go on with nobody in it.
 */
export function refuseAlwaysOutputData(context: IExecuteFunctions, output: string): void {
	if (context.getNode().alwaysOutputData !== true) return;
	const message = 'Always Output Data cannot be used with this operation';
	const description = `Turn it off in the settings of this node: it would send an empty item out of ${output} when nobody is there.`;
	throw userError({ message, description });
}

/** For an operation that takes all input items together: the others would be forgotten without a word. */
export function refuseExecuteOnce(context: IExecuteFunctions): void {
	if (context.getNode().executeOnce !== true) return;
	const message = 'Execute Once cannot be used with this operation';
	const description =
		'Turn it off in the settings of this node: it would leave out all input items but the first. To leave them out on purpose, put a Limit node before this node.';
	throw userError({ message, description });
}

/** Whether the output of a node is pinned, so that it does not run in the editor. */
export function isPinned(context: IExecuteFunctions, name: string): boolean {
	if (context.getMode() !== 'manual') return false;
	// On a worker of queue mode, only the data of the execution has what is pinned.
	const pinned = executionOf(context)?.resultData.pinData?.[name];
	return (pinned ?? workflowOf(context)?.getPinDataOfNode(name)) !== undefined;
}

/**
 * Whether the node is a tool of an AI Agent, which sees only its first output. n8n gives it a type of
 * its own.
 */
export const isTool = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool');

/** Whether an older AI Agent itself runs this node as a tool, instead of n8n running the node. */
export const isInsideAgent = (context: IExecuteFunctions): boolean =>
	context.getExecuteData().node.name !== context.getNode().name;
