import type { Credential, Execution, Json, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { rest as shared } from './environment.mts';
import { finished, succeeded } from './executions.mts';
import { actionNode, chain, manualName, manualNode } from '../../sandbox/n8n/workflows.mts';

export const nodeName = 'Data Collection';

interface NodeRunOptions {
	/** The n8n that all files share by default. */
	rest?: typeof shared;
	name: string;
	credential: Credential;
	parameters: Json;
	/** The JSON of its input items; one empty item by default. */
	items?: Json[];
	/** Settings of the node, for example `retryOnFail`. */
	settings?: Json;
}

/** Starts a workflow with only the action node; returns the execution's ID. */
export async function startNode(options: NodeRunOptions): Promise<string> {
	const { rest = shared, name, credential, parameters, items = [{}], settings } = options;
	const node = { ...actionNode(nodeName, credential, parameters), ...settings };
	const pinData = { [manualName]: items.map((json) => ({ json })) };
	const workflow = { ...chain(name, [manualNode(), node]), pinData };
	const { id } = await rest.createWorkflow(workflow);
	return await rest.runManually(id, manualName);
}

/** The same, but returns the execution once it has ended, successfully or not. */
export const runNode = async (options: NodeRunOptions): Promise<Execution> =>
	await finished(await startNode(options), undefined, options.rest);

/** Stores a workflow and runs it from its manual trigger until it succeeds. */
export async function runWorkflow(workflow: WorkflowFile): Promise<Execution> {
	const { id } = await shared.createWorkflow(workflow);
	return await succeeded(await shared.runManually(id, manualName));
}

/** Parameters of Create that tell the service's calls apart by the input item's `index`. */
export const createEach: Json = {
	...{ resource: 'collectionRequest', operation: 'create', participantsMode: 'json' },
	...{ templateId: '=template-{{ $json.index }}', participantsJson: '[]' },
};

/** Input items for `createEach`. */
export const indexes = (count: number): Json[] =>
	Array.from({ length: count }, (_, index) => ({ index }));
