import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { publish } from '../../../sandbox/n8n/publish.mts';
import type { N8nRest } from '../../../sandbox/n8n/rest.mts';
import type { Credential, Workflow } from '../../../sandbox/n8n/types.mts';
import { poll } from '../../../sandbox/shared/poll.mts';
import { actionNode, chain, setNode, splitNode, webhookNode } from '../../support/workflows.mts';
import type { Reader } from '../../../sandbox/testing/executions.mts';

/** Milliseconds until all of them wait, on a slow machine. */
const startWithin = 180_000;
const eachWithin = 300;

/** The node that runs once an execution has resumed. */
export const nextName = 'Next';

/** Where executions wait, and for whose collection requests. */
export interface Waits {
	rest: N8nRest;
	/** The address of n8n. */
	url: string;
	reader: Reader;
	credential: Credential;
}

/** Waiting executions. */
export interface Waiting {
	workflow: Workflow;
	/** The webhook identifier of their collection requests. */
	identifier: string;
}

/**
 * Starts `size` executions, ten at a time. Each creates `each` collection requests and waits until
 * all of them are completed. Resolves when n8n has stored all executions as waiting.
 */
export async function startWaiting(
	{ rest, url, reader, credential }: Waits,
	size: number,
	each = 1,
): Promise<Waiting> {
	const identifier = randomUUID();
	const start = webhookNode();
	const list = 'body.templates';
	const split = splitNode(list);
	const templateId = `={{ $json[${JSON.stringify(list)}] }}`;
	const create = actionNode('Create', credential, {
		...{ resource: 'collectionRequest', operation: 'create', templateId },
		additionalFields: { webhookIdentifier: identifier },
		options: { concurrency: 25 },
	});
	const wait = { resource: 'collectionRequest', operation: 'wait' };
	const waiting = actionNode('Wait', credential, wait);
	const next = setNode(nextName, 'seen', '={{ $json.requestId }}');
	const nodes = [start, split, create, { ...waiting, webhookId: randomUUID() }, next];
	const workflow = await publish(rest, await rest.createWorkflow(chain('Waiting', nodes)));
	const address = `${url}/webhook/${String(start.parameters.path)}`;
	const post = {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ templates: Array.from({ length: each }, () => 'waiting') }),
	};
	const startOne = async () => expect((await fetch(address, post)).status).toBe(200);
	await pMap(Array.from({ length: size }), startOne, { concurrency: 10 });
	await poll({
		expected: `${size} executions to wait`,
		within: startWithin + size * each * eachWithin,
		read: async () => ((await reader.count(workflow.id, ['waiting'])) === size ? true : undefined),
	});
	return { workflow, identifier };
}
