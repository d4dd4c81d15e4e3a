import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Credential, Execution, Json } from '../../sandbox/n8n/types.mts';
import type { ExecutionSummary, Workflow, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from './credential.mts';
import { signed, payload, type Delivery } from './delivery.mts';
import { countExecutions, finished } from './executions.mts';
import { requestsOf, stateOf, type RequestState, type SentDelivery } from './sandboxService.mts';
import { send, type Answer } from './send.mts';
import { until } from './until.mts';
import { actionNode, chain, setNode, webhookNode } from './workflows.mts';

export const createName = 'Create';
export const waitingName = 'Wait';
export const nextName = 'Next';

/** The path of the resume URL that is the node's own. */
export const resumePath = 'data-collection';

export const twoPeople = [
	{ name: 'Ada Example', email: 'ada@example.com' },
	{ name: 'Ben Example', email: 'ben@example.com' },
];

/** The nodes of a workflow that waits: Create for two people, Wait, and one more. */
export interface WaitingNodes {
	create: WorkflowNode;
	wait: WorkflowNode;
	next: WorkflowNode;
	credential: Credential;
	/** Echoed by the service, so that its requests can be found. */
	identifier: string;
	/** All requests of the nodes that have been created, oldest first. */
	requests(executionId: string): Promise<Wait[]>;
}

/** A published workflow: webhook, Create, Wait, one more node. */
export interface WaitingWorkflow extends WaitingNodes {
	workflow: Workflow;
	/** Starts it once; it must be its only execution. Answers the execution's ID. */
	start(): Promise<string>;
	/** Starts it and waits until n8n has stored the execution as waiting for its only request. */
	startWaiting(): Promise<Wait>;
	/** The same for several requests. */
	startWaitingForAll(): Promise<Wait[]>;
}

/** A request for which an execution waits. */
export interface Wait {
	executionId: string;
	requestId: string;
	/** n8n's resume URL with its token, as the service got it. */
	resumeUrl: string;
	guestLink: string;
	/** As the service knows it. */
	request: RequestState['request'];
	status(): Promise<string>;
	/** The execution once it has ended. */
	end(within?: number): Promise<Execution>;
	/** A delivery about this request, signed with the right secret. */
	delivery(changes?: Json, timestamp?: string): Delivery;
	send(delivery: Delivery): Promise<Answer>;
	/** The service's own delivery of a status, once n8n has answered it. */
	answered(shareStatus: string): Promise<SentDelivery>;
}

export interface NodesOptions {
	rest: N8nRest;
	name: string;
	/** Of the credential. */
	fields?: Json;
	/** Parameters of Create and of Wait. */
	create?: Json;
	wait?: Json;
}

export interface WaitingOptions extends NodesOptions {
	n8nUrl: string;
	settings?: Json;
	/** What follows the webhook, one after the other; Create, Wait and Next unless given. */
	follow?: (nodes: WaitingNodes) => WorkflowNode[];
	/** Connections in place of those. */
	connections?: Json;
	/** What the webhook is given. */
	body?: Json;
}

/** The nodes alone, with a credential of their own, for a workflow that begins in another way. */
export async function waitingNodes(options: NodesOptions): Promise<WaitingNodes> {
	const { rest, name, fields } = options;
	const secret = newSecret();
	const identifier = randomUUID();
	const credential = await createCredential(rest, name, { webhookSecret: secret, ...fields });
	const create = actionNode(createName, credential, {
		...{ resource: 'collectionRequest', operation: 'create', templateId: 'e2e-template' },
		...{ minimumParticipants: 2, maximumParticipants: 2, participantsMode: 'json' },
		...{ participantsJson: JSON.stringify(twoPeople), notify: 'wait' },
		additionalFields: { webhookIdentifier: identifier },
		...options.create,
	});
	const wait = actionNode(waitingName, credential, {
		...{ resource: 'collectionRequest', operation: 'wait' },
		...{ requestId: '={{ $json.requestId }}', waitForStatuses: ['completed'] },
		...options.wait,
	});
	return {
		...{ credential, identifier },
		// The editor gives such an ID to every node that has a webhook.
		create: { ...create, webhookId: randomUUID() },
		wait: { ...wait, webhookId: randomUUID() },
		next: setNode(nextName, 'seen', '={{ $json.requestId }}'),
		requests: async (executionId) =>
			(await requestsOf(identifier)).map((state) =>
				waitFor(rest, { executionId, identifier, secret }, state),
			),
	};
}

export async function createWaiting(options: WaitingOptions): Promise<WaitingWorkflow> {
	const { rest, n8nUrl, name, settings, connections, body } = options;
	const nodes = await waitingNodes(options);
	const { follow = ({ create, wait, next }) => [create, wait, next] } = options;
	const begin = webhookNode();
	const made = chain(name, [begin, ...follow(nodes)], settings);
	const connected = { ...made, connections: { ...made.connections, ...connections } };
	const workflow = await publish(rest, await rest.createWorkflow(connected));

	const start = async () => {
		const url = `${n8nUrl}/webhook/${String(begin.parameters.path)}`;
		const headers = { 'content-type': 'application/json' };
		const started = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
		assert.equal(started.status, 200);
		// The webhook of an older n8n answers before it has stored the execution.
		const { id } = await until('the execution is stored', async () =>
			(await rest.listExecutions(workflow.id)).at(0),
		);
		assert.equal(await countExecutions(rest, workflow.id), 1);
		return id;
	};
	const startWaitingForAll = async () => {
		const executionId = await start();
		await waits(rest, executionId);
		return await nodes.requests(executionId);
	};
	const startWaiting = async () => {
		const [wait, ...more] = await startWaitingForAll();
		assert.ok(wait);
		assert.equal(more.length, 0);
		return wait;
	};
	return { ...nodes, workflow, start, startWaiting, startWaitingForAll };
}

/** Waits until n8n has stored the execution as waiting; fails when it ends instead. */
export async function waits(rest: N8nRest, executionId: string): Promise<void> {
	const status = await until('the execution waits or ends', async () => {
		const now = await statusOf(rest, executionId);
		return now === 'new' || now === 'running' ? undefined : now;
	});
	if (status !== 'waiting') assert.fail(JSON.stringify(await rest.getExecution(executionId)));
}

async function statusOf(rest: N8nRest, id: string): Promise<string> {
	return (await rest.send<ExecutionSummary>('GET', `/rest/executions/${id}`)).status;
}

function waitFor(
	rest: N8nRest,
	{ executionId, identifier, secret }: { executionId: string; identifier: string; secret: string },
	{ request, guestLink, webhook }: RequestState,
): Wait {
	assert.ok(webhook);
	const requestId = request._id;
	return {
		...{ executionId, requestId, guestLink, request, resumeUrl: webhook.url },
		status: () => statusOf(rest, executionId),
		end: (within) => finished(rest, executionId, within),
		delivery: (changes = {}, timestamp = undefined) => {
			const body = payload({ requestId, webhookIdentifier: identifier, ...changes });
			return signed({ secret, body, timestamp });
		},
		send: (delivery) => send(webhook.url, delivery),
		answered: (shareStatus) =>
			until(`the service has its answer to "${shareStatus}"`, async () => {
				const { deliveries } = await stateOf(requestId);
				return deliveries.find(
					(sent) => sent.shareStatus === shareStatus && sent.statusCode !== null,
				);
			}),
	};
}

/** What Wait adds to the request as it was read, when a notification has not ended the wait. */
export const unnotified = ({ requestId, guestLink }: Wait) => ({
	...{ requestId, guestLink, notification: null, timedOut: false },
});

/** How often the node after the wait has run. */
export const runsOfNext = ({ data }: Execution) => data.resultData.runData[nextName]?.length ?? 0;
