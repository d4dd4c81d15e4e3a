import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { publish } from '../../../sandbox/n8n/publish.mts';
import type { N8nRest } from '../../../sandbox/n8n/rest.mts';
import type { Credential, Execution, Json } from '../../../sandbox/n8n/types.mts';
import type { ExecutionSummary, Workflow } from '../../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from './credential.mts';
import { signed, payload, type Delivery } from './delivery.mts';
import { countExecutions, finished } from './executions.mts';
import { requestOf } from './sandboxService.mts';
import { send, type Answer } from './send.mts';
import { until } from './until.mts';
import { actionNode, chain, setNode, webhookNode } from './workflows.mts';

export const waitingName = 'Create and Wait';
export const nextName = 'Next';

export const twoPeople = [
	{ name: 'Ada Example', email: 'ada@example.com' },
	{ name: 'Ben Example', email: 'ben@example.com' },
];

/** A published workflow: webhook, createAndWait for two people, one more node. */
export interface WaitingWorkflow {
	workflow: Workflow;
	credential: Credential;
	/** Echoed by the service, so that its requests can be found. */
	identifier: string;
	/** Starts it once; it must be its only execution. Answers the execution's ID. */
	start(): Promise<string>;
	/** Starts it and waits until n8n has stored the execution as waiting. */
	startWaiting(): Promise<Wait>;
}

/** An execution that waits for a request. */
export interface Wait {
	executionId: string;
	requestId: string;
	/** n8n's resume URL with its token, as the service got it. */
	resumeUrl: string;
	guestLink: string;
	status(): Promise<string>;
	/** The execution once it has ended. */
	end(within?: number): Promise<Execution>;
	/** A delivery about this request, signed with the right secret. */
	delivery(changes?: Json, timestamp?: string): Delivery;
	send(delivery: Delivery): Promise<Answer>;
}

export interface WaitingOptions {
	rest: N8nRest;
	n8nUrl: string;
	name: string;
	/** Of the credential. */
	fields?: Json;
	parameters?: Json;
	settings?: Json;
}

export async function createWaiting(options: WaitingOptions): Promise<WaitingWorkflow> {
	const { rest, n8nUrl, name, fields, parameters } = options;
	const secret = newSecret();
	const identifier = randomUUID();
	const credential = await createCredential(rest, name, { webhookSecret: secret, ...fields });
	const start = webhookNode();
	const waiting = actionNode(waitingName, credential, {
		...{ resource: 'collectionRequest', operation: 'createAndWait', templateId: 'e2e-template' },
		...{ minimumParticipants: 2, maximumParticipants: 2, participantsMode: 'json' },
		participantsJson: JSON.stringify(twoPeople),
		additionalFields: { webhookIdentifier: identifier },
		...parameters,
	});
	const next = setNode(nextName, 'seen', '={{ $json.requestId }}');
	const nodes = [start, { ...waiting, webhookId: randomUUID() }, next];
	const made = await rest.createWorkflow(chain(name, nodes, options.settings));
	const workflow = await publish(rest, made);

	const startOnce = async () => {
		const url = `${n8nUrl}/webhook/${String(start.parameters.path)}`;
		assert.equal((await fetch(url, { method: 'POST' })).status, 200);
		// The webhook of an older n8n answers before it has stored the execution.
		const { id } = await until('the execution is stored', async () =>
			(await rest.listExecutions(workflow.id)).at(0),
		);
		assert.equal(await countExecutions(rest, workflow.id), 1);
		return id;
	};
	const startWaiting = async () => {
		const executionId = await startOnce();
		const status = await until('the execution waits or ends', async () => {
			const now = await statusOf(rest, executionId);
			return now === 'new' || now === 'running' ? undefined : now;
		});
		if (status !== 'waiting') assert.fail(JSON.stringify(await rest.getExecution(executionId)));
		return await waitFor(rest, executionId, identifier, secret);
	};
	return { workflow, credential, identifier, start: startOnce, startWaiting };
}

async function statusOf(rest: N8nRest, id: string): Promise<string> {
	return (await rest.send<ExecutionSummary>('GET', `/rest/executions/${id}`)).status;
}

async function waitFor(
	rest: N8nRest,
	executionId: string,
	identifier: string,
	secret: string,
): Promise<Wait> {
	const { request, guestLink, webhook } = await requestOf(identifier);
	assert.ok(webhook);
	const requestId = request._id;
	return {
		...{ executionId, requestId, guestLink, resumeUrl: webhook.url },
		status: () => statusOf(rest, executionId),
		end: (within) => finished(rest, executionId, within),
		delivery: (changes = {}, timestamp = undefined) => {
			const body = payload({ requestId, webhookIdentifier: identifier, ...changes });
			return signed({ secret, body, timestamp });
		},
		send: (delivery) => send(webhook.url, delivery),
	};
}

/** How often the node after the wait has run. */
export const runsOfNext = ({ data }: Execution) => data.resultData.runData[nextName]?.length ?? 0;
