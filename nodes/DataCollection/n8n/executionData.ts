import type {
	IDataObject,
	IExecuteFunctions,
	IRunExecutionData,
	IWebhookFunctions,
	Workflow,
} from 'n8n-workflow';

/**
 * n8n's context has the workflow, although its types do not say so; perhaps not in every version.
 */
export const workflowOf = (context: IExecuteFunctions) =>
	(context as { workflow?: Workflow }).workflow;

/** n8n's context has it, although its types do not say so. */
export const executionOf = (context: IExecuteFunctions | IWebhookFunctions) =>
	(context as { runExecutionData?: IRunExecutionData }).runExecutionData;

/** Milliseconds since 1970, also in an execution before this one. */
export const startOf = (context: IExecuteFunctions, name: string, runIndex: number): number =>
	executionOf(context)?.resultData.runData[name]?.[runIndex]?.startTime ?? 0;

/** The same object for all nodes of an execution, as long as it does not wait. */
export const flowOf = (context: IExecuteFunctions): IDataObject => context.getContext('flow');

/** Notes for later nodes. n8n stores them with the execution, and copies them for a retry. */
export const notesUnder = <T>(context: IExecuteFunctions, key: string) =>
	(flowOf(context)[key] ??= {}) as Partial<Record<string, T>>;

/** A node with pinned output does not run in the editor. */
export function isPinned(context: IExecuteFunctions, name: string): boolean {
	if (context.getMode() !== 'manual') return false;
	// On a worker of queue mode, only the data of the execution has what is pinned.
	const pinned = executionOf(context)?.resultData.pinData?.[name];
	return (pinned ?? workflowOf(context)?.getPinDataOfNode(name)) !== undefined;
}

/** Aborts when the execution is cancelled. A webhook call cannot be cancelled. */
export function cancelSignalOf(
	context: IExecuteFunctions | IWebhookFunctions,
): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
