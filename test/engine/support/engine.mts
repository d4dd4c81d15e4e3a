import { WorkflowExecute } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteContextData,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRun,
	ITaskDataConnections,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';
import { inspect } from 'node:util';
import { DataCollection } from '../../../nodes/DataCollection/DataCollection.node.ts';
import { router } from '../../../nodes/DataCollection/actions/router.ts';
import { SECRETS } from './storedCredential.mts';
import { startFaultServer, type Answer } from './faultServer.mts';
import './virtualTime.mts';
import { additionalDataOf, nodeOf, workflowOf } from './workflow.mts';

/** The action node, which is prepared before each execution. */
export const action = new DataCollection();
action.execute = async function (this: IExecuteFunctions) {
	prepareExecution(this);
	return await router(this);
};

const nothing = () => {};
let prepareExecution: (context: IExecuteFunctions) => void = nothing;

/** Runs before each execution of the action node; may change what the node sees of n8n. */
export const beforeExecution = (prepare: typeof prepareExecution): void => {
	prepareExecution = prepare;
};

afterEach(() => {
	prepareExecution = nothing;
});

/** Makes the node run inside an older agent, whose execute data is shared by all its tool calls. */
export function putIntoAgent(): { data: ITaskDataConnections } {
	const data = { main: [[{ json: { chatInput: 'hello' } }]] };
	const shared = { node: { name: 'AI Agent' }, data, source: null };
	beforeExecution((context) => {
		Object.defineProperty(context, 'getExecuteData', { value: () => shared });
	});
	return shared;
}

export interface ActionRun {
	parameters: INodeParameters;
	/** How the credential's service responds; if omitted, there is no service. */
	answer?: Answer;
	/** The JSON of the input items; one empty item by default. */
	input?: IDataObject[];
	/** Complete input items instead, e.g. with binary data. */
	items?: INodeExecutionData[];
	/** Fields of the credential that differ from the defaults. */
	credential?: ICredentialDataDecryptedObject;
	settings?: Partial<INode>;
	/** The execution that the node runs in; a new one by default. */
	execution?: Execution;
}

export interface Execution {
	id: string;
	/** What nodes of this execution have kept with it so far. */
	contextData?: IExecuteContextData;
	mode?: WorkflowExecuteMode;
}

let executions = 0;

/** An execution of its own. */
export const newExecution = (): Execution => ({ id: `execution-${(executions += 1)}` });

let cancel = nothing;

/** Cancels the running execution, as Stop in the editor does. */
export const stopExecution = (): void => cancel();

/** Executes the workflow of an action node; the credential's service is at this URL, if anywhere. */
async function execute(run: ActionRun, serviceUrl?: string): Promise<IRun> {
	const { parameters, input = [{}], items = input.map((json) => ({ json })), settings } = run;
	const { id, contextData, mode = 'trigger' } = run.execution ?? newExecution();
	const node = nodeOf(action, parameters, settings);
	const ofService = serviceUrl && { productionBaseUrl: serviceUrl };
	const credential = { ...ofService, ...run.credential };
	const start = { node, data: { main: [items] }, source: null };
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: [start], contextData },
	});
	const additionalData = additionalDataOf(credential, { executionId: id });
	const underWay = new WorkflowExecute(additionalData, mode, data).processRunExecutionData(
		workflowOf([action], [node]),
	);
	cancel = () => underWay.cancel();
	// Drops the closure, which would keep the finished execution in memory.
	return await underWay.finally(() => (cancel = nothing));
}

/** Runs the action node inside n8n's own WorkflowExecute, which must store no secret. */
export async function runAction(action: ActionRun) {
	const server = action.answer && (await startFaultServer(action.answer));
	const run = await execute(action, server?.url);
	expectNoSecrets(run);
	const { error, runData } = run.data.resultData;
	const [task] = Object.values(runData).flat();
	const outputs = task?.data?.main ?? [];
	const output = outputs[0] ?? [];
	const requests = server?.requests ?? [];
	return {
		/** The node's output: its JSON, the complete items, and the items on each output. */
		json: output.map(({ json }) => json),
		items: output,
		outputs,
		/** The error that ended the execution, and the hints shown with the output. */
		error,
		hints: task?.hints ?? [],
		run,
		/** The service's URL, the requests it received, their paths, and their number. */
		serviceUrl: server?.url,
		requests,
		urls: requests.map(({ url }) => url),
		sent: requests.length,
	};
}

/** Runs the node for one item, and adds that item's output; throws the execution's error. */
export async function runOk(action: ActionRun) {
	const outcome = await runAction(action);
	const { json, error } = outcome;
	if (error) throw new Error(`${error.message}: ${error.description ?? ''}`);
	const [item] = json;
	if (item === undefined || json.length > 1) throw new Error(`${json.length} items came out`);
	return { ...outcome, item };
}

/** Runs the node, and returns the error that ended the execution with its n8n fields. */
export async function runError(action: ActionRun) {
	const { error, requests, urls, sent } = await runAction(action);
	if (error === undefined) throw new Error('The execution succeeded');
	const { message, description, name, context } = error;
	const httpCode = 'httpCode' in error ? error.httpCode : undefined;
	const { itemIndex } = context;
	return { message, description, name, httpCode, itemIndex, requests, urls, sent };
}

/** Fails if a key, token or webhook secret is in the stored execution or hidden inside an error. */
export function expectNoSecrets(run: IRun, secrets: readonly string[] = SECRETS): void {
	const stored = JSON.stringify(run);
	const inside = inspect(run, { depth: 30, showHidden: true, maxStringLength: null });
	for (const secret of secrets) {
		expect(stored).not.toContain(secret);
		expect(inside).not.toContain(secret);
	}
}
