/** A JSON object of n8n's API whose fields are not listed here. */
export type Json = Record<string, unknown>;

export type Owner = Record<'email' | 'password' | 'firstName' | 'lastName', string>;

export interface WorkflowNode extends Json {
	id: string;
	name: string;
	type: string;
	parameters: Json;
	webhookId?: string;
	credentials?: Record<string, { id: string; name: string }>;
}

/** A workflow as n8n exports it to a file. */
export interface WorkflowFile extends Json {
	name: string;
	nodes: WorkflowNode[];
	connections: Json;
	settings?: Json;
}

export interface Workflow extends WorkflowFile {
	id: string;
	versionId: string;
	/** The published version; null if there is none. */
	activeVersionId: string | null;
	active: boolean;
}

export interface Credential {
	id: string;
	name: string;
	type: string;
	/** Decrypted fields, with passwords blanked out; only on request. */
	data?: Json;
}

export type ExecutionSummary = Json & {
	id: string;
	status: string;
	mode: string;
	finished: boolean;
};

interface NodeRun extends Json {
	error?: Json;
	data?: { main?: Array<Array<{ json: Json }> | null> };
}

export interface ExecutionData extends Json {
	resultData: { runData: Record<string, NodeRun[]>; error?: Json; lastNodeExecuted?: string };
}

export type Execution = ExecutionSummary & { data: ExecutionData };

export interface Publication {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ status: string; errorMessage: string | null }>;
}

export type CredentialTest = { status: 'OK' | 'Error'; message: string };

/** The items on each output of a node, for each of its runs. */
export const runsOf = ({ data }: Execution, nodeName: string): Json[][][] =>
	(data.resultData.runData[nodeName] ?? []).map((run) =>
		(run.data?.main ?? []).map((items) => (items ?? []).map(({ json }) => json)),
	);

/** The items on a node's first output in its last run; empty if it did not run. */
export const outputOf = (execution: Execution, nodeName: string): Json[] =>
	runsOf(execution, nodeName).at(-1)?.[0] ?? [];

/** n8n's message about why the execution failed; undefined if it did not fail. */
export function failureOf(execution: Execution): string | undefined {
	const { error } = execution.data.resultData;
	if (error === undefined) return undefined;
	const texts = [error.message, error.description].filter((text) => typeof text === 'string');
	return texts.join(' ');
}
