import type {
	IExecuteFunctions,
	INode,
	INodeParameters,
	IRunExecutionData,
	IWebhookFunctions,
	Workflow,
} from 'n8n-workflow';

import { userError } from './errors';

/** What has n8n's context of an execution. */
export interface WithContext {
	context: IExecuteFunctions;
}

/** The same of a call of a webhook, as far as both tell the nodes of the workflow. */
export interface WithNodes {
	context: Pick<IExecuteFunctions, 'getNode' | 'getParentNodes'>;
}

/** The nodes before this one, nearest first. */
export const nodesBefore = ({ context }: WithContext) =>
	context
		.getParentNodes(context.getNode().name)
		.filter(({ disabled }) => !disabled)
		.reverse();

/** Whether a node is of this type and runs. Disabled ones pass on what they get. */
function isOwnType({ context }: WithNodes) {
	const own = context.getNode().type;
	return ({ type, disabled }: Pick<INode, 'type' | 'disabled'>) => type === own && !disabled;
}

/** The nodes of this type before a node, by default this one, farthest first. */
export const upstreamNodes = (run: WithNodes, name = run.context.getNode().name) =>
	run.context
		.getParentNodes(name, { includeNodeParameters: true })
		.filter(isOwnType(run))
		.filter((node) => node.name !== name);

/** The Create operations among them. */
export const upstreamCreates = (run: WithNodes, name?: string) =>
	upstreamNodes(run, name).filter(({ parameters }) => parameters?.operation === 'create');

/** The trigger of this package before this node, if there is one. */
export function upstreamTrigger({ context }: WithContext) {
	const { name, type } = context.getNode();
	return context.getParentNodes(name).find((node) => node.type === `${type}Trigger`);
}

/** Whether this node certainly runs only once: it is in no loop, and behind nodes with one input each. */
export function runsOnce({ context }: WithContext): boolean {
	const { name } = context.getNode();
	const before = context.getParentNodes(name).map((node) => node.name);
	const isInLoop = context.getChildNodes(name).some((node) => before.includes(node.name));
	const isSingle = (one: string) => context.getParentNodes(one, { depth: 1 }).length < 2;
	return !isInLoop && [name, ...before].every(isSingle);
}

/** The nodes of this type after this node. */
export const downstreamOwn = (run: WithContext): NodeBehind[] =>
	run.context
		.getChildNodes(run.context.getNode().name, { includeNodeParameters: true })
		.filter(isOwnType(run));

/** The Wait operations among them. */
export const downstreamWaits = (run: WithContext): NodeBehind[] =>
	downstreamOwn(run).filter(({ parameters }) => parameters?.operation === 'wait');

/** A node after this one. */
export type NodeBehind = Pick<INode, 'name' | 'type' | 'disabled'> & {
	parameters?: INodeParameters;
};

/**
 * For an operation that outputs nothing by an output that others depend on. n8n's setting would add
 * an empty item there: the workflow would go on with nobody in it.
 */
export function refuseAlwaysOutputData(run: WithContext, output: string): void {
	if (run.context.getNode().alwaysOutputData !== true) return;
	const message = 'Always Output Data cannot be used with this operation';
	const description = `Turn it off in the settings of this node: it would send an empty item out of ${output} when nobody is there.`;
	throw userError({ message, description });
}

/** For an operation that takes all input items together: the others would be forgotten without a word. */
export function refuseExecuteOnce({ context }: WithContext): void {
	if (context.getNode().executeOnce !== true) return;
	const message = 'Execute Once cannot be used with this operation';
	const description =
		'Turn it off in the settings of this node: it would leave out all input items but the first. To leave them out on purpose, put a Limit node before this node.';
	throw userError({ message, description });
}

/** The workflow. n8n's context has it, although its types do not say so; perhaps not in every version. */
export const workflowOf = (context: IExecuteFunctions) =>
	(context as { workflow?: Workflow }).workflow;

/** What n8n keeps of its execution, which its context has although its types do not say so. */
export const executionOf = (context: IExecuteFunctions | IWebhookFunctions) =>
	(context as { runExecutionData?: IRunExecutionData }).runExecutionData;

/** When a run of a node began, in milliseconds since 1970, also in an execution before this one. */
export const startOf = ({ context }: WithContext, name: string, runIndex: number): number =>
	executionOf(context)?.resultData.runData[name]?.[runIndex]?.startTime ?? 0;

/** Whether the output of a node is pinned, so that it does not run in the editor. */
export function isPinned({ context }: WithContext, name: string): boolean {
	if (context.getMode() !== 'manual') return false;
	// On a worker of queue mode, only the data of the execution has what is pinned.
	const pinned = executionOf(context)?.resultData.pinData?.[name];
	return (pinned ?? workflowOf(context)?.getPinDataOfNode(name)) !== undefined;
}

/**
 * Whether the node is a tool of an AI Agent, which sees only its first output. n8n gives it a type of
 * its own.
 */
export const isTool = ({ context }: WithContext): boolean =>
	context.getNode().type.endsWith('Tool');

/** Whether an older AI Agent itself runs this node as a tool, instead of n8n running the node. */
export const isInsideAgent = (context: IExecuteFunctions): boolean =>
	context.getExecuteData().node.name !== context.getNode().name;
