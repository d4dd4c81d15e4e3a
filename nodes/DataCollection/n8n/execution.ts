import type {
	IExecuteFunctions,
	IRunExecutionData,
	IWebhookFunctions,
	Workflow,
} from 'n8n-workflow';

/** The workflow. n8n's context has it, although its types do not say so; perhaps not in every version. */
export const workflowOf = (context: IExecuteFunctions) =>
	(context as { workflow?: Workflow }).workflow;

/** What n8n keeps of its execution, which its context has although its types do not say so. */
export const executionOf = (context: IExecuteFunctions | IWebhookFunctions) =>
	(context as { runExecutionData?: IRunExecutionData }).runExecutionData;

/** When a run of a node began, in milliseconds since 1970, also in an execution before this one. */
export const startOf = (context: IExecuteFunctions, name: string, runIndex: number): number =>
	executionOf(context)?.resultData.runData[name]?.[runIndex]?.startTime ?? 0;

/**
 * What the nodes of an execution note for those after them, by name. n8n stores it with the execution,
 * and copies it when it retries one, as an execution with another ID.
 */
export const notesUnder = <T>(context: IExecuteFunctions, key: string) =>
	(context.getContext('flow')[key] ??= {}) as Partial<Record<string, T>>;
