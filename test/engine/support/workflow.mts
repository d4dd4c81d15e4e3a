import { ExecutionLifecycleHooks } from 'n8n-core';
import type {
	ICredentialsHelper,
	IExecuteFunctions,
	INode,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	ITaskDataConnections,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';
import { DataCollection } from '../../../nodes/DataCollection/DataCollection.node.ts';
import { DataCollectionTrigger } from '../../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { router } from '../../../nodes/DataCollection/actions/router.ts';
import { useVirtualTime } from './virtualTime.mts';

/** The action node with the clock of the test. */
export const action = new DataCollection();
action.execute = async function (this: IExecuteFunctions) {
	prepareExecution?.(this);
	return await router(this, useVirtualTime());
};

type Prepare = (context: IExecuteFunctions) => void;

let prepareExecution: Prepare | undefined;

/** Runs before each execution of the action node; may change what the node sees of n8n. */
export const beforeExecution = (prepare: Prepare): void => {
	prepareExecution = prepare;
};

afterEach(() => {
	prepareExecution = undefined;
});

/** Makes n8n report that the node comes after a Create. */
export const putAfterCreate = (notify: string): void =>
	beforeExecution((context) => {
		const { type } = context.getNode();
		const create = { name: 'Ask them', type, typeVersion: 1, disabled: false };
		const parameters = { resource: 'collectionRequest', operation: 'create', notify };
		context.getParentNodes = (_name, options) => [
			options?.includeNodeParameters ? { ...create, parameters } : create,
		];
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

const NODES = { dataCollection: action, dataCollectionTrigger: new DataCollectionTrigger() };

const nodeType = (name: string): INodeType => NODES[name.split('.')[1] as keyof typeof NODES];

const nodeTypes: INodeTypes = {
	getByName: nodeType,
	getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(nodeType(name)),
	getKnownTypes: () => ({}),
};

/** The version that the editor adds. */
export const newestVersion = ({ version }: Pick<INodeTypeDescription, 'version'>): number =>
	Math.max(...[version].flat());

interface NodeSetup {
	type: keyof typeof NODES;
	parameters: INodeParameters;
	/** More node settings, e.g. `onError`, or `credentials: {}` for no credential. */
	settings?: Partial<INode>;
	workflowId?: string;
}

/** A workflow with one node, named `Node` by default; omitted parameters get their defaults. */
export function workflowOf({ type, parameters, settings, workflowId = 'workflow-1' }: NodeSetup) {
	const node: INode = {
		id: 'node-1',
		name: 'Node',
		type: `n8n-nodes-data-collection.${type}`,
		typeVersion: newestVersion(NODES[type].description),
		position: [0, 0],
		credentials: { dataCollectionApi: { id: '1', name: 'Data Collection account' } },
		webhookId: 'hook-1',
		parameters,
		...settings,
	};
	const workflow = new Workflow({
		id: workflowId,
		name: 'Test',
		active: false,
		nodeTypes,
		nodes: [node],
		connections: {},
		settings: { executionOrder: 'v1' },
	});
	return { workflow, node, implementation: NODES[type] };
}

/** What n8n passes to an execution besides the workflow. */
export function additionalDataOf(
	credentialsHelper: ICredentialsHelper,
	extra: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData {
	const n8n = 'http://localhost:5678';
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper,
		hooks: new ExecutionLifecycleHooks('trigger', '1', {} as IWorkflowBase),
		currentNodeExecutionIndex: 0,
		restApiUrl: `${n8n}/rest`,
		instanceBaseUrl: `${n8n}/`,
		webhookBaseUrl: `${n8n}/webhook`,
		webhookTestBaseUrl: `${n8n}/webhook-test`,
		webhookWaitingBaseUrl: `${n8n}/webhook-waiting`,
		formWaitingBaseUrl: `${n8n}/form-waiting`,
		variables: {},
		...extra,
	};
	return data as IWorkflowExecuteAdditionalData;
}
