import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	ISourceData,
	ITaskData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { yieldEvery } from '../basics/concurrency';
import { isObject } from '../basics/values';
import { executionOf, startOf } from './executionData';
import { nodesBefore } from './graph';

/** At one output of a node, for each of its runs before this run. */
export function outputsOf(
	context: IExecuteFunctions,
	name: string,
	output: number,
): INodeExecutionData[][] {
	const { $, $node } = context.getWorkflowDataProxy(0);
	// A node that never ran may have pinned items, which are those of run 0.
	const nodes = $node as Record<string, { runIndex: number }>;
	const last = orNothing(() => nodes[name]?.runIndex) ?? 0;
	return Array.from(
		{ length: Math.max(0, last) + 1 },
		(_, runIndex) => orNothing(() => $(name).all(output, runIndex) as INodeExecutionData[]) ?? [],
	);
}

/** By the first outputs of several nodes, in the order in which they ran. */
export const outputsInOrder = (
	context: IExecuteFunctions,
	names: string[],
): INodeExecutionData[][] =>
	names
		.flatMap((name) =>
			outputsOf(context, name, 0).map((items, runIndex) => ({
				items,
				start: startOf(context, name, runIndex),
			})),
		)
		.sort((a, b) => a.start - b.start)
		.map(({ items }) => items);

/** In the call of a webhook, n8n has only what it has stored. */
export const storedOutputs = (context: IWebhookFunctions, names: string[]): INodeExecutionData[] =>
	names
		.flatMap((name) => executionOf(context)?.resultData.runData[name] ?? [])
		.flatMap(({ data }) => data?.main?.[0] ?? []);

/** Of a node's last run, by its second output and by its first. */
export const lastOutputsOf = (context: IExecuteFunctions, previousNode: string) =>
	[1, 0].map((previousNodeOutput) => {
		const outputs = outputsOf(context, previousNode, previousNodeOutput);
		const previousNodeRun = outputs.length - 1;
		const source: ISourceData = { previousNode, previousNodeOutput, previousNodeRun };
		return { source, items: outputs[previousNodeRun] ?? [] };
	});

/** The run of a node that the input comes from. */
export const inputSourceOf = (context: IExecuteFunctions): ISourceData | undefined =>
	context.getExecuteData().source?.main?.[0] ?? undefined;

/** For each input item, the item of an earlier node that it is linked with, if it is only one. */
export async function linkedItems(context: IExecuteFunctions, name: string) {
	const linked: Array<INodeExecutionData | undefined> = [];
	// A single proxy for all items: n8n takes most of a millisecond to make one.
	const { $ } = context.getWorkflowDataProxy(0);
	type Match = (itemIndex: number) => INodeExecutionData;
	const match = orNothing(() => $(name).itemMatching as Match);
	for (const itemIndex of context.getInputData().keys()) {
		linked.push(orNothing(() => match?.(itemIndex)));
		await yieldEvery(100, itemIndex);
	}
	return linked;
}

/**
 * Whether the input comes from this node's own last run, as in a loop. If a node in between has
 * waited, n8n no longer knows where its input came from: then true.
 */
export function isNextRound(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const runData = executionOf(context)?.resultData.runData ?? {};
	const lastRun = (runData[name]?.length ?? 0) - 1;
	const behind = new Set(context.getChildNodes(name).map((node) => node.name));
	behind.delete(name);
	const visited = new Set<ITaskData>();
	const sources: Array<ISourceData | null | undefined> = [inputSourceOf(context)];
	while (sources.length > 0) {
		const { previousNode = '', previousNodeRun = 0 } = sources.pop() ?? {};
		if (previousNode === name && previousNodeRun === lastRun) return true;
		const task = behind.has(previousNode) ? runData[previousNode]?.[previousNodeRun] : undefined;
		if (task === undefined || visited.has(task)) continue;
		visited.add(task);
		// A wait has replaced what n8n noted of its input.
		if (task.metadata?.forwardAllOutputs) return true;
		sources.push(...task.source);
	}
	return false;
}

/** As a sub-workflow. Its caller may then call it once for each item. */
export function isCalledWithOneItem(context: IExecuteFunctions): boolean {
	if (context.getMode() !== 'integrated') return false;
	const trigger = nodesBefore(context).find(({ type }) => type.endsWith('.executeWorkflowTrigger'));
	return trigger !== undefined && outputsOf(context, trigger.name, 0).flat().length === 1;
}

/** With Execution Logic v2, n8n gives the fields in place of the item. */
export const jsonOf = (item?: INodeExecutionData) =>
	(isObject(item?.json) ? item.json : item) as IDataObject | undefined;

/** n8n throws where a node has not run, or where an item has no link. */
function orNothing<T>(find: () => T): T | undefined {
	try {
		return find();
	} catch {
		return undefined;
	}
}
