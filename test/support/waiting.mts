import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { Json, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { addressesOf, createCredential, newSecret } from './credential.mts';
import { signed, payload, type Delivery } from './delivery.mts';
import { rest, service } from './environment.mts';
import { countExecutions, startByWebhook, statusOf, succeeded, waits } from './executions.mts';
import { createForTwo } from './people.mts';
import { send } from './send.mts';
import type { Service, State } from './service/service.mts';
import { actionNode, chain, graph, setNode, webhookNode } from './workflows.mts';

/** A collection request for which an execution waits. */
export type Wait = ReturnType<typeof waitFor>;

export interface WaitingOptions {
	name: string;
	/** The service of all tests by default. */
	at?: Service;
	/** Parameters of Wait. */
	wait?: Json;
	/** The nodes after the webhook, in order; Create, Wait and Next by default. */
	follow?: (
		nodes: Record<'create' | 'wait' | 'next', WorkflowNode>,
	) => WorkflowNode[] | Promise<WorkflowNode[]>;
	/** How they are connected, from `Webhook` on; one after the other by default. */
	paths?: string[];
	/** Settings of the workflow. */
	settings?: Json;
}

/** A published workflow started by a webhook: Create for two people, Wait, and one more node. */
export async function createWaiting(options: WaitingOptions) {
	const { name, at = service, paths } = options;
	const secret = newSecret();
	/** Echoed by the service, so that the workflow's collection requests can be found. */
	const identifier = randomUUID();
	const credential = await createCredential(name, { webhookSecret: secret, ...addressesOf(at) });
	// The editor gives an ID to every node that has a webhook.
	const ours = (nodeName: string, parameters: Json) => ({
		...actionNode(nodeName, credential, { resource: 'collectionRequest', ...parameters }),
		webhookId: randomUUID(),
	});
	const own = { additionalFields: { webhookIdentifier: identifier } };
	const create = ours('Create', { ...createForTwo, ...own });
	const wait = ours('Wait', { operation: 'wait', ...options.wait });
	const next = setNode('Next', 'seen', '={{ $json.requestId }}');
	const begin = webhookNode();
	const nodes = [
		begin,
		...((await options.follow?.({ create, wait, next })) ?? [create, wait, next]),
	];
	const file = paths === undefined ? chain(name, nodes) : graph(name, nodes, paths);
	const settings = { ...file.settings, ...options.settings };
	const workflow = await publish(rest, await rest.createWorkflow({ ...file, settings }));

	/** All collection requests that the workflow has created, oldest first. */
	const requests = (executionId: string) =>
		at.requestsOf(identifier).map((state) => waitFor(at, executionId, secret, state));
	/** Starts it once with this body; resolves to its execution, once n8n has stored it as waiting. */
	const start = async (body: Json = {}): Promise<string> => {
		const id = await startByWebhook(workflow.id, begin, body);
		await waits(id);
		return id;
	};
	/** The same, with its only collection request. */
	const startWaiting = async () => {
		const [only, ...more] = requests(await start());
		assert.ok(only);
		expect(more).toEqual([]);
		return only;
	};
	return { identifier, requests, start, startWaiting };
}

function waitFor(at: Service, executionId: string, secret: string, state: State) {
	const { request, webhook, guestLink } = state;
	assert.ok(webhook);
	const { url: resumeUrl, identifier: webhookIdentifier } = webhook;
	const requestId = request._id;
	return {
		executionId,
		requestId,
		guestLink,
		/** n8n's resume URL with its token, as the service received it. */
		resumeUrl,
		status: () => statusOf(executionId),
		/** The execution, once it has succeeded: the next node ran once, and nothing else was started. */
		endsOnce: async (within?: number) => {
			const execution = await succeeded(executionId, within);
			expect(execution.data.resultData.runData.Next?.length).toBe(1);
			expect(await countExecutions(String(execution.workflowId))).toBe(1);
			return execution;
		},
		/** A delivery about this collection request, signed with the right secret. */
		delivery: (changes: Json = {}, timestamp?: string) => {
			const body = payload({ requestId, webhookIdentifier, ...changes });
			return signed({ secret, body, timestamp });
		},
		/** Sends it to the resume URL; resolves to n8n's response, such as `200 waiting`. */
		send: (delivery: Delivery) => send(resumeUrl, delivery),
		/** The response to the service's own delivery of a status. */
		answered: (shareStatus: string) => at.answered(requestId, shareStatus),
	};
}
