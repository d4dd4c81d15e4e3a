import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { createClient } from '../api/client';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { mapConcurrently } from '../concurrency';
import { readConnection } from '../credential/connection';
import { withoutErrorField } from '../sanitize';
import { collectionRequest } from './collectionRequest';
import { notification } from './notification';
import type { Result } from './failures';
import { createdText, finalError, sentences, toFailed } from './failures';
import type { Created, Operation, Output, Resource, Run } from './operation';
import { readConcurrency } from './parameters';
import { share } from './share';

/** Every operation of the action node, by the values of Resource and Operation. */
export const resources: Record<string, Resource> = { collectionRequest, notification, share };

/**
 * Runs the selected operation for the input items, and links each output item to its input item.
 * The output keeps the input order. With Continue On Fail, a failed item becomes an item with its
 * error. Without it, no item starts after the first failure; the running ones finish, then the node
 * fails.
 */
export async function router(
	context: IExecuteFunctions,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	const isInsideAgent = context.getExecuteData().node.name !== context.getNode().name;
	const created = isInsideAgent ? nothingCreated() : createdIn(context.getExecuteData());
	const results = await runAll(context, clock, { isInsideAgent, created });
	const [first, ...others] = results.filter((result) => !result.ok);
	if (first !== undefined && !context.continueOnFail()) {
		throw finalError(context, [first, ...others], created);
	}
	return [results.flatMap(toItems)];
}

const nothingCreated = (): Created => ({ ids: new Set(), outputs: new Map() });

/**
 * By the execute data: all tries of Retry On Fail share one object, and each round of a loop has a new
 * one. Inside an agent, all tool calls would share the agent's own.
 */
const createdBy = new WeakMap<object, Created>();

function createdIn(executeData: object): Created {
	const created = createdBy.get(executeData) ?? nothingCreated();
	createdBy.set(executeData, created);
	return created;
}

/** A failure of all items becomes a failure of each. */
async function runAll(
	context: IExecuteFunctions,
	clock: Clock,
	known: Pick<Run, 'created' | 'isInsideAgent'>,
): Promise<Result[]> {
	try {
		const operation = selectedOperation(context);
		const connection = await readConnection(context);
		const api = createClient({ context, connection, clock });
		const own = { hint: hintsOf(context), lists: new Map<string, number>() };
		const run: Run = { context, connection, api, clock, ...known, ...own };
		const results = await runOperation(run, operation);
		return results.map((result) => (result.ok ? withoutSecrets(run, result.value) : result));
	} catch (error) {
		const failed = toFailed(context, error, 0);
		const lost = context.continueOnFail() ? createdText(known.created) : '';
		const description = sentences(failed.description, lost);
		return context.getInputData().map(() => ({ ...failed, description }));
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
	throw new NodeOperationError(context.getNode(), message, { description });
}

/** Shows each warning once, however many items cause it. */
function hintsOf(context: IExecuteFunctions): Run['hint'] {
	const shown = new Set<string>();
	return (message) => {
		if (shown.has(message)) return;
		shown.add(message);
		context.addExecutionHints({ type: 'warning', location: 'outputPane', message });
	};
}

async function runOperation(run: Run, operation: Operation): Promise<Result[]> {
	if ('executeAll' in operation) {
		return (await operation.executeAll(run)).map((value) => ({ ok: true, value }));
	}
	const concurrency = readConcurrency(run);
	if ('execute' in operation) return await runEach(run, concurrency, operation.execute);
	// At least two at once: a single one would never yield to the event loop.
	const prepared = await runEach(run, Math.max(2, concurrency), operation.prepare);
	const failed = prepared.filter((one) => !one.ok);
	if (failed.length > 0 && !run.context.continueOnFail()) return failed;
	return await runEach(run, concurrency, async (_run, itemIndex) => {
		const work = prepared[itemIndex];
		if (work?.ok) return await work.value();
		throw work?.error as NodeOperationError;
	});
}

/**
 * Runs as many items at once as `concurrency` says. Items that do not start after a failure are not
 * in the results.
 */
async function runEach<T>(
	run: Run,
	concurrency: number,
	execute: (run: Run, itemIndex: number) => Promise<T>,
): Promise<Array<Result<T>>> {
	const { context, clock } = run;
	const continueOnFail = context.continueOnFail();
	let hasFailed = false;
	const work = async (_item: unknown, itemIndex: number): Promise<Result<T> | undefined> => {
		if (hasFailed && !continueOnFail) return undefined;
		try {
			return { ok: true, value: await execute(run, itemIndex) };
		} catch (error) {
			hasFailed = true;
			return toFailed(context, error, itemIndex);
		}
	};
	const results = await mapConcurrently(context.getInputData(), concurrency, clock, work);
	return results.filter((result) => result !== undefined);
}

/** Operations compare what the service sent as it is. Secrets in it are hidden here, on the way out. */
function withoutSecrets({ connection: { sanitizer } }: Run, output: Output): Result {
	const value = Array.isArray(output) ? output.map(sanitizer.item) : sanitizer.item(output);
	return { ok: true, value };
}

/** Every n8n version sends an item to the error output if it has only `error` and `message`. */
function toItems(result: Result, itemIndex: number): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	if (!result.ok) {
		const { error, description } = result;
		// An empty text would make n8n take the item for a success.
		const text = error.message || error.name;
		const message = description === '' ? {} : { message: description };
		return [{ json: { error: text, ...message }, pairedItem }];
	}
	return [result.value].flat().map((json) => ({ json: withoutErrorField(json), pairedItem }));
}
