import { WorkflowExecute } from 'n8n-core';
import type {
	ExecutionError,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRun,
	ITaskData,
} from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';
import { inspect } from 'node:util';
import { CREDENTIAL, OneCredential, SECRETS } from './credential.mts';
import { additionalDataOf, nodeOf, workflowOf } from './workflow.mts';

export interface ActionRun {
	parameters: INodeParameters;
	/** The JSON of the input items; one empty item unless given. */
	input?: IDataObject[];
	/** Whole input items instead, e.g. with binary data. */
	items?: INodeExecutionData[];
	/** Fields of the credential that differ from the usual ones. */
	credential?: ICredentialDataDecryptedObject;
	settings?: Partial<INode>;
	/** Receives what cancels the execution, as Stop in the editor does. */
	onStart?: (cancel: () => void) => void;
}

export interface Outcome {
	/** What the node gave out: its JSON, and the whole items. */
	json: IDataObject[];
	items: INodeExecutionData[];
	/** The error that ended the execution. */
	error: ExecutionError | undefined;
	task: ITaskData | undefined;
	run: IRun;
}

/** Runs the action node inside n8n's own WorkflowExecute. */
export async function runAction(action: ActionRun): Promise<Outcome> {
	const { parameters, input = [{}], credential, settings } = action;
	const items = action.items ?? input.map((json) => ({ json }));
	const workflow = workflowOf({ type: 'dataCollection', parameters, settings });
	const additionalData = additionalDataOf(new OneCredential({ ...CREDENTIAL, ...credential }));
	const start = {
		node: nodeOf(workflow),
		data: { main: [items] },
		source: null,
	};
	const data = createRunExecutionData({ executionData: { nodeExecutionStack: [start] } });
	const execution = new WorkflowExecute(additionalData, 'trigger', data);
	const underWay = execution.processRunExecutionData(workflow);
	action.onStart?.(() => underWay.cancel());
	const run = await underWay;

	const task = run.data.resultData.runData.Node?.[0];
	const output = task?.data?.main?.[0] ?? [];
	const json = output.map((item) => item.json);
	return { json, items: output, error: run.data.resultData.error, task, run };
}

/** Runs the node for one item and returns what it gave out; throws the execution's error. */
export async function runOk(action: ActionRun): Promise<IDataObject> {
	const { json, error } = await runAction(action);
	if (error) throw new Error(`${error.message}: ${error.description ?? ''}`);
	const [first] = json;
	if (first === undefined || json.length > 1) throw new Error(`${json.length} items came out`);
	return first;
}

/** Runs the node and returns the error that ended the execution, with its n8n fields. */
export async function runError(action: ActionRun) {
	const { error, run } = await runAction(action);
	if (error === undefined) throw new Error('The execution succeeded');
	expectNoSecrets(run);
	const { message, description, name, context } = error;
	const httpCode = 'httpCode' in error ? error.httpCode : undefined;
	return { message, description, name, httpCode, itemIndex: context.itemIndex };
}

/** No key, token or webhook secret in what n8n stores of an execution, nor hidden inside errors. */
export function expectNoSecrets(run: IRun, secrets: readonly string[] = SECRETS): void {
	const stored = JSON.stringify(run);
	const inside = inspect(run, { depth: 30, showHidden: true, maxStringLength: null });
	for (const secret of secrets) {
		expect(stored).not.toContain(secret);
		expect(inside).not.toContain(secret);
	}
}
