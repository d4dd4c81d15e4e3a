import type { IDataObject, INodeExecutionData, ISourceData, IWebhookFunctions } from 'n8n-workflow';

import { yieldEvery } from '../basics/concurrency';
import { isObject } from '../basics/values';
import { resultsOf, startOf, type WithContext } from './graph';

/** The items at one output of a node, for each of its runs so far. */
export function outputsOf(
	{ context }: WithContext,
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

/** What several nodes have output by their first output, run by run, in the order in which they ran. */
export const outputsInOrder = (run: WithContext, names: string[]): INodeExecutionData[][] =>
	names
		.flatMap((name) =>
			outputsOf(run, name, 0).map((items, runIndex) => ({
				items,
				start: startOf(run, name, runIndex),
			})),
		)
		.sort((one, other) => one.start - other.start)
		.map(({ items }) => items);

/** The same in the call of a webhook, for which n8n has only what it has stored, in no order of nodes. */
export const storedOutputs = (context: IWebhookFunctions, names: string[]): INodeExecutionData[] =>
	names
		.flatMap((name) => resultsOf(context)?.runData[name] ?? [])
		.flatMap(({ data }) => data?.main?.[0] ?? []);

/** The run of a node that the input comes from. */
export const inputSourceOf = ({ context }: WithContext): ISourceData | undefined =>
	context.getExecuteData().source?.main?.[0] ?? undefined;

/** What a node has output in its last run by its second output, and by its first one. */
export const lastOutputsOf = (run: WithContext, previousNode: string) =>
	[1, 0].map((previousNodeOutput) => {
		const outputs = outputsOf(run, previousNode, previousNodeOutput);
		const previousNodeRun = outputs.length - 1;
		const source: ISourceData = { previousNode, previousNodeOutput, previousNodeRun };
		return { source, items: outputs[previousNodeRun] ?? [] };
	});

/** For each input item, the item of an earlier node with which it is linked, if there is exactly one. */
export async function linkedItems({ context }: WithContext, name: string) {
	const linked: Array<INodeExecutionData | undefined> = [];
	// One of n8n's proxies for all items: making one takes most of a millisecond.
	const { $ } = context.getWorkflowDataProxy(0);
	type Match = (itemIndex: number) => INodeExecutionData;
	const match = orNothing(() => $(name).itemMatching as Match);
	for (const itemIndex of context.getInputData().keys()) {
		linked.push(orNothing(() => match?.(itemIndex)));
		await yieldEvery(100, itemIndex);
	}
	return linked;
}

/** The fields of an item. In workflows of Execution Logic v2, n8n gives them in place of the item. */
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
