import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { publish } from '../../../sandbox/n8n/publish.mts';
import { outputOf, type Execution, type Json } from '../../../sandbox/n8n/types.mts';
import type { Row } from '../../support/tables.mts';
import { until } from '../../support/until.mts';
import { actionNode, chain, splitNode, webhookNode } from '../../support/workflows.mts';
import { strike, type Setup, type ChooseVictim } from '../support/setup.mts';
import { sandboxAt } from '../../../sandbox/testing/serviceBehindFront.mts';
import type { RequestState } from '../../../sandbox/service/types.mts';

const concurrency = 25;
/** Slow enough for a crash to hit in the middle. */
const apiDelay = 300;
const startWithin = 60_000;
/** Milliseconds for an execution that seems stuck: it may be retrying every item. */
const patience = 90_000;
const createName = 'Create';

/** The template ID shows which item a collection request was created for. */
const indexOf = ({ request }: RequestState) =>
	Number(/^item-(\d+)$/.exec(String((request.template as Json)._id))?.[1]);

/** What was created, and what the execution (if any) reports about it. */
function judge(requests: RequestState[], execution: Execution | undefined): Row {
	const items = execution === undefined ? [] : outputOf(execution, createName);
	const failure = execution?.data.resultData.error;
	const text = JSON.stringify([items, failure?.message, failure?.description]);
	const failedItems = new Set([
		...[...text.matchAll(/Item (\d+) did not succeed/g)].map(([, index]) => Number(index)),
		...items.flatMap(({ error }, index) => (error === undefined ? [] : [index])),
		Number((failure?.context as Json | undefined)?.itemIndex),
	]);
	const figures = { 'in items or error': 0, 'named as failed': 0, unknown: 0 };
	for (const known of requests) {
		if (text.includes(known.request._id)) figures['in items or error'] += 1;
		else if (failedItems.has(indexOf(known))) figures['named as failed'] += 1;
		else figures.unknown += 1;
	}
	const twice = requests.length - new Set(requests.map(indexOf)).size;
	return { created: requests.length, 'created twice': twice, ...figures };
}

/** Many creates in one execution, in the middle of which a process dies. */
export async function bulk(
	setup: Setup,
	chooseVictim: (executionId: string) => ChooseVictim,
	size: number,
	settings: Json,
): Promise<Row> {
	const { deployment, service, reader, credential } = setup;
	const { rest, url } = deployment;
	const sandbox = sandboxAt(service.url);
	const identifier = randomUUID();
	const start = webhookNode();
	const create = actionNode(createName, credential, {
		...{ resource: 'collectionRequest', operation: 'create' },
		templateId: '=item-{{ $json.index }}',
		// Without a URL the service would not return the identifier.
		notify: 'trigger',
		webhookUrl: `${service.url}/nobody`,
		additionalFields: { webhookIdentifier: identifier },
		options: { concurrency },
	});
	const nodes = [start, splitNode('body.items'), { ...create, ...settings }];
	const workflow = await publish(rest, await rest.createWorkflow(chain('Crashes: bulk', nodes)));

	await sandbox.slowDown(apiDelay);
	const items = Array.from({ length: size }, (_, index) => ({ index }));
	const started = await fetch(`${url}/webhook/${String(start.parameters.path)}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
	});
	expect(started.status).toBe(200);
	const [execution] = await rest.listExecutions(workflow.id);
	assert.ok(execution);
	const isHalf = async () =>
		(await sandbox.requests(identifier)).length >= size / 2 ? true : undefined;
	await until(`${size / 2} of ${size} are created`, isHalf, startWithin);
	const crash = await strike(setup, chooseVictim(execution.id));
	const settled = reader.settle(workflow.id, patience);
	// The service stays down until the node has ended; n8n can only end once it is running.
	const isService = crash.victim === service.front.name;
	const underWay = isService ? await settled : await crash.supervisor.during(settled);
	await crash.supervisor.revive();

	// n8n does not return executions that it considers running.
	const [end] = await reader.all(workflow.id);
	await rest.deactivate(workflow.id);
	const requests = await sandbox.requests(identifier);
	return {
		items: size,
		...judge(requests, end),
		status: end?.status ?? 'running',
		'left under way': underWay,
		restarted: crash.supervisor.started.join(', '),
	};
}
