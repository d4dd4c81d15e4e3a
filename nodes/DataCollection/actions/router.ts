import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { createClient } from '../api/client';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { mapConcurrently } from '../concurrency';
import { readConnection } from '../credential/connection';
import { collectionRequest } from './collectionRequest';
import { notification } from './notification';
import type { Operation, Output, Resource, Run } from './operation';
import { runsInsideAnAgent } from './operation';
import { concurrencyOf } from './parameters';
import { share } from './share';

/** Every operation of the action node, by the values of Resource and Operation. */
export const resources: Record<string, Resource> = { collectionRequest, notification, share };

type Failed = NodeApiError | NodeOperationError;
type Result<T = Output> = T | Failed;

const isFailed = <T>(result: Result<T>): result is Failed => result instanceof Error;

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
	const created = createdIn(context);
	const results = await runAll(context, clock, created);
	if (!context.continueOnFail()) throwFirstFailure(results, created);
	return [results.flatMap(toItems)];
}

const createdBy = new WeakMap<object, Set<string>>();

/**
 * The IDs of the collection requests that were created in this execution of the node, also in earlier
 * tries of Retry On Fail: these share the execute data.
 */
function createdIn(context: IExecuteFunctions): Set<string> {
	if (runsInsideAnAgent({ context })) return new Set();
	const executeData = context.getExecuteData();
	const known = createdBy.get(executeData) ?? new Set();
	createdBy.set(executeData, known);
	return known;
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

/** Runs the operation in one of its two ways. A failure of all items becomes a failure of each. */
async function runAll(
	context: IExecuteFunctions,
	clock: Clock,
	created: Set<string>,
): Promise<Result[]> {
	try {
		const operation = selectedOperation(context);
		const connection = await readConnection(context);
		const api = createClient({ context, connection, clock });
		const known = { created, hints: new Set<string>(), lists: new Map<string, number>() };
		const run: Run = { context, connection, api, clock, ...known };
		const results = await runOperation(run, operation);
		return results.map((result) => (isFailed(result) ? result : withoutSecrets(run, result)));
	} catch (error) {
		const failed = asFailed(context, error, 0);
		if (context.continueOnFail()) addTo(failed, createdText(created));
		return context.getInputData().map(() => failed);
	}
}

async function runOperation(run: Run, operation: Operation): Promise<Result[]> {
	if ('executeAll' in operation) return await operation.executeAll(run);
	const concurrency = concurrencyOf(run);
	if ('execute' in operation) return await runEach(run, operation.execute, concurrency);
	// At least two at once: a single one would never yield to the event loop.
	const prepared = await runEach(run, operation.prepare, Math.max(2, concurrency));
	const failed = prepared.filter(isFailed);
	if (failed.length > 0 && !run.context.continueOnFail()) return failed;
	const execute = async (_run: Run, itemIndex: number) => {
		const work = prepared[itemIndex] as Result<() => Promise<Output>>;
		if (isFailed(work)) throw work;
		return await work();
	};
	return await runEach(run, execute, concurrency);
}

/**
 * Runs as many items at once as `concurrency` says. Items that do not start after a failure are not
 * in the results.
 */
async function runEach<T>(
	run: Run,
	execute: (run: Run, itemIndex: number) => Promise<T>,
	concurrency: number,
): Promise<Array<Result<T>>> {
	const { context, clock } = run;
	const continueOnFail = context.continueOnFail();
	let hasFailed = false;
	const work = async (_item: unknown, itemIndex: number): Promise<Result<T> | undefined> => {
		if (hasFailed && !continueOnFail) return undefined;
		try {
			return await execute(run, itemIndex);
		} catch (error) {
			hasFailed = true;
			return asFailed(context, error, itemIndex);
		}
	};
	const results = await mapConcurrently(context.getInputData(), concurrency, clock, work);
	return results.filter((result) => result !== undefined);
}

function asFailed(context: IExecuteFunctions, error: unknown, itemIndex: number): Failed {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	return new NodeOperationError(context.getNode(), error as Error, { itemIndex });
}

/**
 * Throws the first failure. n8n then drops the output of the other items, so the description lists
 * what would be lost: the IDs of the created collection requests, and the other items' failures.
 */
function throwFirstFailure(results: Result[], created: Set<string>): void {
	const [first, ...others] = results.filter(isFailed);
	if (first === undefined) return;
	const unlike = others.filter((other) => other !== first);
	const failures = unlike.map(
		({ message, context }) =>
			`Item ${String(context.itemIndex)} did not succeed either: ${message}.`,
	);
	addTo(first, createdText(created), ...failures);
	throw first;
}

function addTo(failed: Failed, ...texts: string[]): void {
	failed.description = [failed.description, ...texts].filter(Boolean).join(' ');
}

function createdText(created: Set<string>): string {
	if (created.size === 0) return '';
	const were = created.size === 1 ? 'request was' : 'requests were';
	return `Before this, ${created.size} collection ${were} created: ${[...created].join(', ')}. A new execution would create them again.`;
}

/** Operations compare what the service sent as it is. Secrets in it are hidden here, on the way out. */
const withoutSecrets = ({ connection: { sanitizer } }: Run, output: Output): Output =>
	Array.isArray(output) ? output.map(sanitizer.item) : sanitizer.item(output);

/** Every n8n version sends an item to the error output if it has only `error` and `message`. */
function toItems(result: Result, itemIndex: number): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	if (isFailed(result)) {
		const { message: error, description: message } = result;
		return [{ json: message ? { error, message } : { error }, pairedItem }];
	}
	return [result].flat().map((json) => ({ json: withoutErrorField(json), pairedItem }));
}

/**
 * Renames a field `error` that the service sends. n8n's Retry On Fail takes that field in the first
 * item for a failure, and would repeat a create that succeeded.
 */
function withoutErrorField({ error, ...fields }: IDataObject): IDataObject {
	return error === undefined ? fields : { ...fields, serviceError: error };
}
