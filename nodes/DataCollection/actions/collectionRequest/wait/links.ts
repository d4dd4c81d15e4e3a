import type { IDataObject, INodeExecutionData, ISourceData } from 'n8n-workflow';

import { clock } from '../../../clock';
import { isObject } from '../../../values';
import type { ItemResult, Run } from '../../operation';

/** What a node has put out by an output, for each of its runs so far. */
export function outputsOf({ context }: Run, name: string, output: number): INodeExecutionData[][] {
	const { $, $node } = context.getWorkflowDataProxy(0);
	// A node that never ran may have pinned items, which are those of run 0.
	const last = ($node as Record<string, { runIndex: number }>)[name]?.runIndex ?? 0;
	return Array.from(
		{ length: Math.max(0, last) + 1 },
		(_, runIndex) => orNothing(() => $(name).all(output, runIndex) as INodeExecutionData[]) ?? [],
	);
}

/** The request IDs of items, each once. */
export const requestIdsOf = (items: INodeExecutionData[]): string[] => [
	...new Set(items.map(requestIdOf).filter((id) => id !== undefined)),
];

/** For each input item, the item of an earlier node with which it is linked, if there is exactly one. */
async function linkedItems({ context }: Run, name: string) {
	const linked: Array<INodeExecutionData | undefined> = [];
	// One of n8n's proxies for all items: making one takes most of a millisecond.
	const { $ } = context.getWorkflowDataProxy(0);
	type Match = (itemIndex: number) => INodeExecutionData;
	const match = orNothing(() => $(name).itemMatching as Match);
	for (const itemIndex of context.getInputData().keys()) {
		linked.push(orNothing(() => match?.(itemIndex)));
		// Following the links of thousands of items takes a while, and must not block n8n.
		if (itemIndex % 100 === 99) await clock.sleep(0);
	}
	return linked;
}

/** n8n throws where a node has not run, or where an item has no link. */
function orNothing<T>(find: () => T): T | undefined {
	try {
		return find();
	} catch {
		return undefined;
	}
}

/** The fields of an item. In workflows of Execution Logic v2, n8n gives them in place of the item. */
const jsonOf = (item?: INodeExecutionData) =>
	(isObject(item?.json) ? item.json : item) as IDataObject | undefined;

/** The request ID of an item that a node of our type has put out; undefined for an error. */
const requestIdOf = (item?: INodeExecutionData): string | undefined => {
	const id = jsonOf(item)?.requestId;
	return typeof id === 'string' && id !== '' ? id : undefined;
};

/** For each input item, the collection request that it stands for, if any. */
export type StandsFor = Array<string | undefined>;

/** An item without a request ID stands for that of the nearest of these nodes that it comes from. */
export async function standsForOf(run: Run, names: string[]): Promise<StandsFor> {
	const standsFor = run.context.getInputData().map(requestIdOf);
	for (const name of names) {
		if (!standsFor.includes(undefined)) break;
		const linked = await linkedItems(run, name);
		linked.forEach((item, itemIndex) => (standsFor[itemIndex] ??= requestIdOf(item)));
	}
	return standsFor;
}

/** Which item each awaited collection request is linked with: the i-th with the i-th of the source. */
export interface Linking {
	requestIds: string[];
	source?: ISourceData;
}

/**
 * What n8n links the items of Done and Timed Out with when a wait ends: the i-th item with the i-th
 * item of this source. As n8n leaves it, that would be another person's data. So this is a run of a
 * node whose items stand for the awaited collection requests one by one: the node's own input, or else
 * its last round, or else the nearest earlier node that fits. If none has them in their order, the
 * nearest one decides on the order. Without any there is no source: `$('…').item` then fails.
 */
export async function linkingOf(
	run: Run,
	requestIds: string[],
	standsFor: StandsFor,
): Promise<Linking> {
	let other: Linking | undefined;
	for await (const { source, ids } of sourcesOf(run, requestIds.length, standsFor)) {
		if (!isOneByOne(ids, requestIds)) continue;
		const found = { requestIds: ids.slice(0, requestIds.length) as string[], source };
		if (requestIds.every((id, index) => ids[index] === id)) return found;
		other ??= found;
	}
	return other ?? { requestIds };
}

/** Whether the first items stand for these collection requests, in any order, and no others do. */
function isOneByOne(ids: StandsFor, requestIds: string[]): boolean {
	const awaited = new Set<string | undefined>(requestIds);
	const first = ids.slice(0, requestIds.length);
	const isEach = new Set(first.filter((id) => awaited.has(id))).size === requestIds.length;
	return isEach && !ids.slice(requestIds.length).some((id) => awaited.has(id));
}

/** The runs that items could be linked with, nearest first, and what their items stand for. */
async function* sourcesOf(run: Run, count: number, standsFor: StandsFor) {
	const { context } = run;
	const input = context.getExecuteData().source?.main?.[0] ?? undefined;
	yield { source: input, ids: standsFor };
	const own = context.getNode();
	const earlier = context.getParentNodes(own.name).filter(({ disabled }) => !disabled);
	for (const { name: previousNode, type } of [own, ...earlier.reverse()]) {
		const candidates = [1, 0]
			.map((previousNodeOutput) => {
				const outputs = outputsOf(run, previousNode, previousNodeOutput);
				const previousNodeRun = outputs.length - 1;
				const source = { previousNode, previousNodeOutput, previousNodeRun };
				return { source, items: outputs[previousNodeRun] ?? [] };
			})
			.filter(({ items }) => items.length >= count);
		if (candidates.length === 0) continue;
		const isOurs = type === own.type;
		const idOf = isOurs ? requestIdOf : await idByLinks(run, previousNode, standsFor);
		yield* candidates.map(({ source, items }) => ({ source, ids: items.map(idOf) }));
	}
}

/** Which collection request another node's item stands for: that of all input items linked to it. */
async function idByLinks(run: Run, name: string, standsFor: StandsFor) {
	const ids = new Map<unknown, string | undefined>();
	const linked = await linkedItems(run, name);
	for (const [itemIndex, id] of standsFor.entries()) {
		const fields = jsonOf(linked[itemIndex]);
		ids.set(fields, ids.has(fields) && ids.get(fields) !== id ? undefined : id);
	}
	return (item: INodeExecutionData) => ids.get(jsonOf(item));
}

/**
 * Links each item of a wait that ends at once with the item of the source, or of the input, for its ID.
 * If several stand for it, with none of them: it would be the data of the first of several people.
 */
export const linkedResults = (
	items: IDataObject[],
	ids: StandsFor,
	source?: ISourceData,
): ItemResult[] =>
	items.map((value) => {
		const index = ids.indexOf(String(value.requestId));
		const isOnly = index >= 0 && ids.lastIndexOf(String(value.requestId)) === index;
		return { ok: true, value, source, itemIndex: isOnly ? index : undefined };
	});
