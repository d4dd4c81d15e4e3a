import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Credential, Workflow } from '../../sandbox/n8n/types.mts';
import { poll } from '../../sandbox/shared/poll.mts';
import { actionNode, chain, setNode, webhookNode } from '../../test/support/workflows.mts';
import type { Reader } from './executions.mts';

/** Milliseconds until all wait, on a slow machine. */
const startWithin = 180_000;
const eachWithin = 300;

/** The node that runs once an execution has been continued. */
export const nextName = 'Next';

/** Where executions wait, and whose requests they wait for. */
export interface Waits {
	rest: N8nRest;
	/** Of n8n. */
	url: string;
	reader: Reader;
	credential: Credential;
}

/** Executions that wait. */
export interface Waiting {
	workflow: Workflow;
	/** By which the service knows their requests. */
	identifier: string;
}

/**
 * Starts `size` executions that create a request and wait for its completion, ten at a time, and
 * waits until n8n has stored them all as waiting.
 */
export async function startWaiting(
	{ rest, url, reader, credential }: Waits,
	size: number,
): Promise<Waiting> {
	const identifier = randomUUID();
	const start = webhookNode();
	const create = actionNode('Create', credential, {
		...{ resource: 'collectionRequest', operation: 'create', templateId: 'waiting' },
		...{ notify: 'wait', additionalFields: { webhookIdentifier: identifier } },
	});
	const waiting = actionNode('Wait', credential, {
		...{ resource: 'collectionRequest', operation: 'wait' },
		...{ requestId: '={{ $json.requestId }}', waitForStatuses: ['completed'] },
	});
	const next = setNode(nextName, 'seen', '={{ $json.requestId }}');
	const nodes = [start, create, { ...waiting, webhookId: randomUUID() }, next];
	const workflow = await publish(rest, await rest.createWorkflow(chain('Waiting', nodes)));
	const address = `${url}/webhook/${String(start.parameters.path)}`;
	const startOne = async () => assert.equal((await fetch(address, { method: 'POST' })).status, 200);
	await pMap(Array.from({ length: size }), startOne, { concurrency: 10 });
	await poll({
		expected: `${size} executions to wait`,
		within: startWithin + size * eachWithin,
		read: async () => ((await reader.count(workflow.id, ['waiting'])) === size ? true : undefined),
	});
	return { workflow, identifier };
}
