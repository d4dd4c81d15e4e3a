import type { IExecuteFunctions } from 'n8n-workflow';

import { userError } from './errors';
import { executionOf, workflowOf } from './execution';

/** An empty output means nobody. n8n's Always Output Data would put an empty item there. */
export function refuseAlwaysOutputData(context: IExecuteFunctions, output: string): void {
	if (context.getNode().alwaysOutputData !== true) return;
	const message = 'Always Output Data cannot be used with this operation';
	const description = `Turn it off in the settings of this node: it would send an empty item out of ${output} when nobody is there.`;
	throw userError({ message, description });
}

/** For an operation that takes all input items together. */
export function refuseExecuteOnce(context: IExecuteFunctions): void {
	if (context.getNode().executeOnce !== true) return;
	const message = 'Execute Once cannot be used with this operation';
	const description =
		'Turn it off in the settings of this node: it would leave out all input items but the first. To leave them out on purpose, put a Limit node before this node.';
	throw userError({ message, description });
}

/** A node with pinned output does not run in the editor. */
export function isPinned(context: IExecuteFunctions, name: string): boolean {
	if (context.getMode() !== 'manual') return false;
	// On a worker of queue mode, only the data of the execution has what is pinned.
	const pinned = executionOf(context)?.resultData.pinData?.[name];
	return (pinned ?? workflowOf(context)?.getPinDataOfNode(name)) !== undefined;
}

/**
 * Whether an AI Agent uses the node, under a type of its own. The agent sees only the first output.
 */
export const isTool = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool');

/** Whether an older AI Agent itself runs this node as a tool, instead of n8n. */
export const isInsideAgent = (context: IExecuteFunctions): boolean =>
	context.getExecuteData().node.name !== context.getNode().name;
