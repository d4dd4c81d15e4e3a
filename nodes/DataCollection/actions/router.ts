import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { err } from '../basics/result';
import { userError } from '../n8n/errors';
import { isInsideAgent } from '../n8n/graph';
import { hintsOf } from '../n8n/hints';
import { callsOf } from '../n8n/http';
import { eachItem, failureOf, finalError, type ItemResult, toItems, withMore } from '../n8n/items';
import { getConnection } from '../requests/getConnection';
import type { Created, Operation, Resource, Run } from '../requests/run';
import { createClient } from '../service/client';
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
		throw finalError(context, [first, ...others], createdText(created));
	}
	return outputs.map((results) => results.flatMap(toItems));
}

const nothingCreated = (): Created => ({ ids: new Set(), outputs: new Map() });

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
		const api = createClient({ connection, ...callsOf(context, connection.credential) });
		const { hint, showAll } = hintsOf(context);
		const run: Run = { context, connection, api, created, hint };
		const outputs = await runOperation(run, operation).finally(showAll);
		return outputs.map((results) => results.map((result) => withoutSecrets(run, result)));
	} catch (thrown) {
		const failure = failureOf(context, thrown, 0);
		if (!context.continueOnFail()) return [[failure]];
		const error = withMore(context, failure, [createdText(created)]);
		return [[...context.getInputData().keys()].map((itemIndex) => ({ ...err(error), itemIndex }))];
	}
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
		: [await eachItem(run, async (itemIndex) => await operation.execute(run, itemIndex))];

/** Operations compare what the service sent as it is. Secrets in it are hidden here, on the way out. */
function withoutSecrets({ connection: { redactor } }: Run, result: ItemResult): ItemResult {
	if (!result.ok) return result;
	const { value } = result;
	const shown = Array.isArray(value) ? value.map(redactor.item) : redactor.item(value);
	return { ...result, value: shown };
}

/** The collection requests that were created before a failure. Empty if there are none. */
function createdText({ ids }: Created): string {
	if (ids.size === 0) return '';
	const were = ids.size === 1 ? 'request was' : 'requests were';
	return `Before this, ${ids.size} collection ${were} created: ${[...ids].join(', ')}. A new execution would create them again.`;
}
