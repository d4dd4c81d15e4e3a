import type { Credential, Json, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import type { CountingService } from './countingService.mts';
import type { BenchN8n } from './n8n.mts';
import { actionNode, chain, node, withCredential } from './nodes.mts';

const nodeName = 'Create';

/** How a workflow creates a collection request for every item. */
interface Way {
	title: string;
	/** How many HTTP requests it may have under way; unlimited by default. */
	concurrency?: number;
	node: (credential: Credential, serviceUrl: string) => WorkflowNode;
}

/** The costs and results of one bulk create. */
export interface Run {
	/** Milliseconds that the node took, as n8n measures it. */
	time: number;
	/** Collection requests that the service created, and how many of them more than once. */
	created: number;
	doubled: number;
	/** HTTP requests that it refused. */
	refused: number;
	/** The largest number of HTTP requests that it handled at the same time. */
	underWay: number;
}

/** The package's node with this many items under way at once. */
export const packageNode = (concurrency: number): Way => ({
	title: `Data Collection, ${concurrency} at once`,
	concurrency,
	node: (credential) =>
		actionNode(nodeName, credential, {
			templateId: 'bench',
			output: 'collectionRequest',
			additionalFields: { webhookIdentifier: '={{ $json.i }}' },
			options: { concurrency },
		}),
});

/** n8n's HTTP Request node with the same credential and the same requests, in these batches. */
export const httpRequest = (title: string, batch?: Json, settings: Json = {}): Way => ({
	title: `HTTP Request, ${title}`,
	node: (credential, serviceUrl) => {
		const request = node(nodeName, 'httpRequest', 4.2, {
			method: 'POST',
			url: `${serviceUrl}/di/collection-request/`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credentialType,
			sendBody: true,
			specifyBody: 'json',
			// Create sends the two limits, too, unless they are emptied.
			jsonBody:
				'={{ { templateId: "bench", minimumParticipants: 1, maximumParticipants: 10, webhookIdentifier: String($json.i) } }}',
			options: batch === undefined ? {} : { batching: { batch } },
		});
		return { ...withCredential(request, credential), ...settings };
	},
});

/** Where a bulk create runs, and what it creates. */
export interface Creates {
	n8n: BenchN8n;
	service: CountingService;
	items: number;
	/** Whether every item must have been created exactly once and in order; true by default. */
	complete?: boolean;
}

const startName = 'Start';

function workflowOf(way: Way, items: number, create: WorkflowNode) {
	const jsCode = `return Array.from({ length: ${items} }, (_, i) => ({ json: { i } }));`;
	return chain(way.title, [
		node(startName, 'manualTrigger', 1),
		node('Items', 'code', 2, { jsCode }),
		create,
	]);
}

/** Runs one bulk create in n8n; a Failure if not every item was created exactly once. */
export async function runCreates(way: Way, creates: Creates): Promise<Run> {
	const { n8n, service, items, complete = true } = creates;
	const credential = await n8n.credential(service.url);
	const workflow = workflowOf(way, items, way.node(credential, service.url));
	const { id } = await n8n.rest.createWorkflow(workflow);
	service.take();
	const executionId = await n8n.rest.runManually(id, startName);
	await n8n.executions.succeeded(id, 1);
	const execution = await n8n.rest.getExecution(executionId);
	const [run] = execution.data.resultData.runData[nodeName] ?? [];
	const output = run?.data?.main?.[0] ?? [];
	const result = { time: Number(run?.executionTime), ...service.take() };
	const isComplete =
		output.every(({ json }, index) => json._id === `id-${index}`) &&
		result.created === items &&
		result.doubled === 0;
	if (result.underWay > (way.concurrency ?? items)) {
		throw new Failure(`${way.title} had ${result.underWay} requests under way.`);
	}
	if (output.length !== items || (complete && !isComplete)) {
		throw new Failure(`${way.title} did not create every item exactly once and in order.`);
	}
	return result;
}
