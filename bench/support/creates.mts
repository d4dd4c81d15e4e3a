import type { Credential, Json, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { executionSucceeded } from '../../sandbox/n8n/executions.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import {
	actionNode,
	chain,
	httpNode,
	manualName,
	manualNode,
	node,
} from '../../sandbox/n8n/workflows.mts';
import type { Deployment } from './deployment.mts';
import type { CountingService } from './countingService.mts';
import { meter } from './meter.mts';
import { benchCredential } from './target.mts';

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
	/** Seconds of processor time that n8n used, from start to the stored result. */
	processor: number;
	/** The largest growth of n8n's memory, in MiB. */
	memory: number;
	/** Collection requests that the service created, and how many of them more than once. */
	created: number;
	doubled: number;
	/** HTTP requests that it refused. */
	refused: number;
	/** The largest number of HTTP requests that it handled at the same time. */
	underWay: number;
}

/** The package's node with this many items under way at once. */
export const packageNode = (concurrency: number, parameters: Json = {}): Way => ({
	title: `Data Collection, ${concurrency} at once`,
	concurrency,
	node: (credential) =>
		actionNode(nodeName, credential, {
			templateId: 'bench',
			output: 'collectionRequest',
			...parameters,
			additionalFields: { webhookIdentifier: '={{ $json.i }}' },
			options: { concurrency },
		}),
});

interface Batch {
	batchSize: number;
	/** Milliseconds from one batch to the next. */
	batchInterval: number;
}

/** n8n's HTTP Request node with the same credential and the same requests. */
export const httpRequest = (title: string, batch?: Batch, settings: Json = {}): Way => ({
	title: `HTTP Request, ${title}`,
	node: (credential, serviceUrl) => {
		const url = `${serviceUrl}/di/collection-request/`;
		const { parameters, ...request } = httpNode(nodeName, credential, url);
		const sent = {
			method: 'POST',
			sendBody: true,
			specifyBody: 'json',
			// Create sends the two limits, too, unless they are emptied.
			jsonBody:
				'={{ { templateId: "bench", minimumParticipants: 1, maximumParticipants: 10, webhookIdentifier: String($json.i) } }}',
			options: batch === undefined ? {} : { batching: { batch } },
		};
		return { ...request, parameters: { ...parameters, ...sent }, ...settings };
	},
});

/** Where a bulk create runs, and what it creates. */
export interface Creates {
	deployment: Deployment;
	service: CountingService;
	items: number;
	/** How many each item invites; none by default. */
	participants?: number;
	/** Whether every item must have been created exactly once and in order; true by default. */
	complete?: boolean;
}

const itemsNode = (items: number, participants: number) =>
	node('Items', 'n8n-nodes-base.code', 2, {
		jsCode: `const participants = Array.from({ length: ${participants} }, (_, p) => ({
	name: 'Participant ' + p, email: 'participant-' + p + '@example.com',
}));
return Array.from({ length: ${items} }, (_, i) => ({ json: { i, participants } }));`,
	});

/** Runs one bulk create in n8n; a Failure if not every item was created exactly once. */
export async function runCreates(
	way: Way,
	{ deployment, service, items, participants = 0, complete = true }: Creates,
): Promise<Run> {
	const { rest, members } = deployment;
	service.reset();
	const credential = await benchCredential(rest, { url: service.url });
	const nodes = [manualNode(), itemsNode(items, participants), way.node(credential, service.url)];
	const { id } = await rest.createWorkflow(chain(way.title, nodes));
	const used = meter(members);
	const executionId = await rest.runManually(id, manualName);
	// Each poll costs n8n time that would count as the node's.
	const execution = await executionSucceeded(rest, executionId, { within: 600_000, pause: 2_000 });
	const [run] = execution.data.resultData.runData[nodeName] ?? [];
	const output = run?.data?.main?.[0] ?? [];
	const counts = [...service.created.values()];
	const { processor, peak } = used();
	const result = {
		...{ time: Number(run?.executionTime), processor, memory: peak },
		created: counts.length,
		doubled: counts.filter((count) => count > 1).length,
		refused: service.refused(),
		underWay: service.underWay(),
	};
	const isComplete =
		output.every(({ json }, index) => json._id === `id-${index}`) &&
		result.created === items &&
		result.doubled === 0 &&
		service.participants() === items * participants;
	if (result.underWay > (way.concurrency ?? items)) {
		throw new Failure(`${way.title} had ${result.underWay} requests under way.`);
	}
	if (output.length !== items || (complete && !isComplete)) {
		throw new Failure(`${way.title} did not create every item exactly once and in order.`);
	}
	return result;
}
