import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { yieldEvery } from '../basics/concurrency';
import { err } from '../basics/result';
import { userError, withMore } from '../n8n/errors';
import { hintsOf } from '../n8n/hints';
import { transportOf } from '../n8n/http';
import {
	eachItem,
	failureOf,
	finalError,
	type ItemResult,
	mapResults,
	toItems,
} from '../n8n/itemResults';
import { parametersOf } from '../n8n/parameters';
import { isInsideAgent } from '../n8n/tool';
import { createClient } from '../service/client';
import { readConcurrency } from '../shared/callOptions';
import { itemsOfCreates, inviteesOf } from '../shared/earlierInvitees';
import { getConnection } from '../shared/getConnection';
import type { Created, Operation, Resource, Run } from '../shared/operation';
import { collectionRequest } from './collectionRequest';
import { notification } from './notification';
import { share } from './share';

/** Every operation of the action node, by the values of Resource and Operation. */
export const resources: Record<string, Resource> = { collectionRequest, notification, share };

/**
 * Runs the selected operation for the input items, and links each output item to its input item.
 * The output keeps the input order. With Continue On Fail, a failed item becomes an item with its
 * error. Without it, no item starts after the first failure; the running ones finish, then the node
 * fails.
 */
export async function router(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	// Inside an agent, all tool calls share the agent's own execute data.
	const created = isInsideAgent(context) ? nothingCreated() : createdIn(context.getExecuteData());
	const outputs = await runAll(context, created);
	const [first, ...others] = outputs.flat().filter((result) => !result.ok);
	if (first !== undefined && !context.continueOnFail()) {
		throw finalError([first, ...others], createdText(created));
	}
	return outputs.map((results) => results.flatMap(toItems));
}

const nothingCreated = (): Created => ({ ids: new Set(), attempts: new Map() });

/**
 * What was created, by n8n's execute data: all tries of Retry On Fail share one such object, and each
 * round of a loop has a new one.
 */
const createdBy = new WeakMap<object, Created>();

function createdIn(executeData: object): Created {
	const created = createdBy.get(executeData) ?? nothingCreated();
	createdBy.set(executeData, created);
	return created;
}

/** The results for each output of the node. A failure of all items becomes a failure of each. */
async function runAll(context: IExecuteFunctions, created: Created): Promise<ItemResult[][]> {
	try {
		const operation = selectedOperation(context);
		const connection = await getConnection(context);
		const invitees = inviteesOf(() => itemsOfCreates(context));
		const transport = transportOf(context, connection.credential);
		const api = createClient({ connection, ...transport, onRead: invitees.learn });
		const { hint, showAll } = hintsOf(context);
		const concurrency = readConcurrency(parametersOf(context, 0, hint));
		const run: Run = { context, concurrency, connection, api, created, invitees, hint };
		const outputs = await runOperation(run, operation).finally(showAll);
		const finish = (item: IDataObject) =>
			connection.redactor.item(operation.addsInvitee ? invitees.addTo(item) : item);
		return await Promise.all(outputs.map(async (results) => await finished(results, finish)));
	} catch (thrown) {
		const failure = failureOf(context, thrown, 0);
		if (!context.continueOnFail()) return [[failure]];
		const error = withMore(failure, [createdText(created)]);
		return [[...context.getInputData().keys()].map((itemIndex) => ({ ...err(error), itemIndex }))];
	}
}

async function finished(results: ItemResult[], finish: (item: IDataObject) => IDataObject) {
	const all: ItemResult[] = [];
	for (const [index, result] of results.entries()) {
		all.push(...mapResults([result], (value) => [value].flat().map(finish)));
		await yieldEvery(1_000, index);
	}
	return all;
}

function selectedOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0);
	const operations = Object.entries(resources[resource] ?? {});
	const selected = operations.find(([name]) => name === operation);
	if (selected !== undefined) return selected[1];
	const message = `The operation "${operation}" of "${resource}" is not known`;
	const description =
		'Select a resource and an operation again. If the workflow comes from a newer version of this package, update the package.';
	throw userError({ message, description });
}

const runOperation = async (run: Run, operation: Operation): Promise<ItemResult[][]> =>
	'executeAll' in operation
		? await operation.executeAll(run)
		: [
				await eachItem(
					run.context,
					run.concurrency,
					async (index) => await operation.execute(run, index),
				),
			];

/** The collection requests that were created before a failure. Empty if there are none. */
function createdText({ ids }: Created): string {
	if (ids.size === 0) return '';
	const were = ids.size === 1 ? 'request was' : 'requests were';
	return `Before this, ${ids.size} collection ${were} created: ${[...ids].join(', ')}. A new execution would create them again.`;
}
