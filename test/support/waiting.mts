import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Execution, Json, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from './credential.mts';
import { signed, payload, type Delivery } from './delivery.mts';
import { n8nUrl, openRest } from './environment.mts';
import { countExecutions, finished, statusOf, succeeded } from './executions.mts';
import { ada, answered, ben, requestsOf } from './sandboxService.mts';
import type { RequestState } from './sandboxService.mts';
import { send } from './send.mts';
import { until } from './until.mts';
import { actionNode, chain, setNode, webhookNode } from './workflows.mts';

export const createName = 'Create';
export const waitingName = 'Wait';
export const nextName = 'Next';

/** The path of the resume URL that is the node's own. */
export const resumePath = 'data-collection';

export const twoPeople = [ada, ben];

/** The nodes of a workflow that waits: Create for two people, Wait, and one more. */
export type WaitingNodes = Awaited<ReturnType<typeof waitingNodes>>;

/** A published workflow: webhook, Create, Wait, one more node. */
export type WaitingWorkflow = Awaited<ReturnType<typeof createWaiting>>;

/** A request for which an execution waits. */
export type Wait = ReturnType<typeof waitFor>;

export interface NodesOptions {
	/** The n8n that all files share unless given. */
	rest?: N8nRest;
	name: string;
	/** Of the credential. */
	fields?: Json;
	/** Parameters of Create and of Wait. */
	create?: Json;
	wait?: Json;
}

export interface WaitingOptions extends NodesOptions {
	/** Where that n8n is. */
	n8nUrl?: string;
	/** What follows the webhook, one after the other; Create, Wait and Next unless given. */
	follow?: (nodes: WaitingNodes) => WorkflowNode[];
	/** Connections in place of those. */
	connections?: Json;
	/** What the webhook is given. */
	body?: Json;
}

/** The nodes alone, with a credential of their own, for a workflow that begins in another way. */
export async function waitingNodes(options: NodesOptions) {
	const { rest = openRest(), name, fields } = options;
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
		/** Echoed by the service, so that its requests can be found. */
		identifier,
		// The editor gives such an ID to every node that has a webhook.
		create: { ...create, webhookId: randomUUID() },
		wait: { ...wait, webhookId: randomUUID() },
		next: setNode(nextName, 'seen', '={{ $json.requestId }}'),
		/** All requests of the nodes that have been created, oldest first. */
		requests: async (executionId: string) =>
			(await requestsOf(identifier)).map((state) =>
				waitFor(rest, { executionId, identifier, secret }, state),
			),
	};
}

/** The same in a published workflow that a webhook starts. */
export async function createWaiting(options: WaitingOptions) {
	const { rest = openRest(), name, connections, body = {} } = options;
	const nodes = await waitingNodes(options);
	const { follow = ({ create, wait, next }) => [create, wait, next] } = options;
	const begin = webhookNode();
	const made = chain(name, [begin, ...follow(nodes)]);
	const connected = { ...made, connections: { ...made.connections, ...connections } };
	const workflow = await publish(rest, await rest.createWorkflow(connected));

	/** Starts it once; it must be its only execution. Answers the execution's ID. */
	const start = async () => {
		const url = `${options.n8nUrl ?? n8nUrl}/webhook/${String(begin.parameters.path)}`;
		const headers = { 'content-type': 'application/json' };
		const started = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
		assert.equal(started.status, 200);
		// The webhook of an older n8n answers before it has stored the execution.
		const { id } = await until('the execution is stored', async () =>
			(await rest.listExecutions(workflow.id)).at(0),
		);
		assert.equal(await countExecutions(rest, workflow.id), 1);
		return id;
	};
	/** Starts it and waits until n8n has stored the execution as waiting for its requests. */
	const startWaitingForAll = async () => {
		const executionId = await start();
		await waits(rest, executionId);
		return await nodes.requests(executionId);
	};
	/** The same for its only request. */
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

function waitFor(
	rest: N8nRest,
	{ executionId, identifier, secret }: { executionId: string; identifier: string; secret: string },
	{ request, guestLink, webhook }: RequestState,
) {
	assert.ok(webhook);
	/** n8n's resume URL with its token, as the service got it. */
	const resumeUrl = webhook.url;
	const requestId = request._id;
	return {
		...{ executionId, requestId, guestLink, request, resumeUrl },
		status: () => statusOf(rest, executionId),
		/** The execution once it has ended. */
		end: (within?: number) => finished(rest, executionId, within),
		/** The same once it has ended well: what follows ran once, and nothing else was started. */
		endsOnce: async (within?: number) => {
			const execution = await succeeded(rest, executionId, within);
			assert.equal(runsOfNext(execution), 1);
			assert.equal(await countExecutions(rest, String(execution.workflowId)), 1);
			return execution;
		},
		/** A delivery about this request, signed with the right secret. */
		delivery: (changes: Json = {}, timestamp?: string) => {
			const body = payload({ requestId, webhookIdentifier: identifier, ...changes });
			return signed({ secret, body, timestamp });
		},
		send: (delivery: Delivery) => send(resumeUrl, delivery),
		/** The service's own delivery of a status, once n8n has answered it. */
		answered: (shareStatus: string) => answered(requestId, shareStatus),
	};
}

/** What Wait adds to the request as it was read, when a notification has not ended the wait. */
export const unnotified = ({ requestId, guestLink }: Wait) => ({
	...{ requestId, guestLink, notification: null, timedOut: false },
});

/** How often the node after the wait has run. */
export const runsOfNext = ({ data }: Execution) => data.resultData.runData[nextName]?.length ?? 0;
