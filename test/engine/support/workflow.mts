import { ExecutionLifecycleHooks } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';
import { credentialWith } from './storedCredential.mts';

/** The version that the editor adds. */
export const newestVersion = ({ version }: Pick<INodeTypeDescription, 'version'>): number =>
	Math.max(...[version].flat());

/**
 * A node of one of our types, named `Node`; omitted parameters get their defaults. The settings may
 * be others, e.g. `onError`, or `credentials: {}` for no credential.
 */
export const nodeOf = (
	{ description }: INodeType,
	parameters: INodeParameters,
	settings?: Partial<INode>,
): INode => ({
	id: 'node-1',
	name: 'Node',
	type: `n8n-nodes-data-collection.${description.name}`,
	typeVersion: newestVersion(description),
	position: [0, 0],
	credentials: { dataCollectionApi: { id: '1', name: 'Data Collection account' } },
	webhookId: 'hook-1',
	parameters,
	...settings,
});

/** A workflow whose nodes have these types. */
export function workflowOf(
	types: INodeType[],
	nodes: INode[],
	{ settings, ...more }: Partial<ConstructorParameters<typeof Workflow>[0]> = {},
): Workflow {
	// A tool has a type of its own, and runs as the node does.
	const typeOf = (type: string) => {
		const name = type.split('.').at(-1)?.replace(/Tool$/, '');
		return types.find(({ description }) => description.name === name) as INodeType;
	};
	return new Workflow({
		id: 'workflow-1',
		name: 'Test',
		active: false,
		nodeTypes: {
			getByName: typeOf,
			getByNameAndVersion: (type) => NodeHelpers.getVersionedNodeType(typeOf(type)),
			getKnownTypes: () => ({}),
		},
		nodes,
		connections: {},
		settings: { executionOrder: 'v1', ...settings },
		...more,
	});
}

/** What n8n passes to an execution besides the workflow: also the credential, with these fields changed. */
export function additionalDataOf(
	credential: ICredentialDataDecryptedObject = {},
	extra: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData {
	const n8n = 'http://localhost:5678';
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: credentialWith(credential),
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
