import type { IDataObject, INodeExecutionData, ISourceData } from 'n8n-workflow';

import type { ItemResult } from '../n8n/items';
import { jsonOf, linkedItems, outputsOf } from '../n8n/earlierItems';
import type { Run } from '../operation/operation';

/** The request IDs of items, each once. */
export const requestIdsOf = (items: INodeExecutionData[]): string[] => [
	...new Set(items.map(requestIdOf).filter((id) => id !== undefined)),
];

/** The request ID of an item that a node of our type has output; undefined for an error. */
const requestIdOf = (item?: INodeExecutionData): string | undefined => {
	const id = jsonOf(item)?.requestId;
	return typeof id === 'string' && id !== '' ? id : undefined;
};

/** For each input item, the collection request that it maps to, if any. */
export type MappedIds = Array<string | undefined>;

/** An item without a request ID maps to that of the nearest of these nodes that it comes from. */
export async function mappedIdsOf(run: Run, names: string[]): Promise<MappedIds> {
	const mappedIds = run.context.getInputData().map(requestIdOf);
	for (const name of names) {
		if (!mappedIds.includes(undefined)) break;
		const linked = await linkedItems(run, name);
		linked.forEach((item, itemIndex) => (mappedIds[itemIndex] ??= requestIdOf(item)));
	}
	return mappedIds;
}

/** Which item each awaited collection request is linked with: the i-th with the i-th of the source. */
export interface Pairing {
	requestIds: string[];
	source?: ISourceData;
}

/**
 * What n8n links the items of Done and Timed Out with when a wait ends: the i-th item with the i-th
 * item of this source. As n8n leaves it, that would be another person's data. So this is a run of a
 * node whose items map to the awaited collection requests one by one: the node's own input, or else
 * its last round, or else the nearest earlier node that fits. If none has them in their order, the
 * nearest one decides on the order. Without any there is no source: `$('…').item` then fails.
 */
export async function pairingOf(
	run: Run,
	requestIds: string[],
	mappedIds: MappedIds,
): Promise<Pairing> {
	let other: Pairing | undefined;
	for await (const { source, ids } of sourcesOf(run, requestIds.length, mappedIds)) {
		if (!isOneByOne(ids, requestIds)) continue;
		const found = { requestIds: ids.slice(0, requestIds.length) as string[], source };
		if (requestIds.every((id, index) => ids[index] === id)) return found;
		other ??= found;
	}
	return other ?? { requestIds };
}

/** Whether the first items map to these collection requests, in any order, and no others do. */
function isOneByOne(ids: MappedIds, requestIds: string[]): boolean {
	const awaited = new Set<string | undefined>(requestIds);
	const first = ids.slice(0, requestIds.length);
	const isEach = new Set(first.filter((id) => awaited.has(id))).size === requestIds.length;
	return isEach && !ids.slice(requestIds.length).some((id) => awaited.has(id));
}

/** The runs that items could be linked with, nearest first, and what their items map to. */
async function* sourcesOf(run: Run, count: number, mappedIds: MappedIds) {
	const { context } = run;
	const input = context.getExecuteData().source?.main?.[0] ?? undefined;
	yield { source: input, ids: mappedIds };
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
		const idOf = isOurs ? requestIdOf : await idByLinks(run, previousNode, mappedIds);
		yield* candidates.map(({ source, items }) => ({ source, ids: items.map(idOf) }));
	}
}

/** Which collection request another node's item maps to: that of all input items linked to it. */
async function idByLinks(run: Run, name: string, mappedIds: MappedIds) {
	const ids = new Map<unknown, string | undefined>();
	const linked = await linkedItems(run, name);
	for (const [itemIndex, id] of mappedIds.entries()) {
		const fields = jsonOf(linked[itemIndex]);
		ids.set(fields, ids.has(fields) && ids.get(fields) !== id ? undefined : id);
	}
	return (item: INodeExecutionData) => ids.get(jsonOf(item));
}

/**
 * Links each item of a wait that ends at once with the item of the source, or of the input, for its ID.
 * If several map to it, with none of them: it would be the data of the first of several people.
 */
export const pairedResults = (
	items: IDataObject[],
	ids: MappedIds,
	source?: ISourceData,
): ItemResult[] =>
	items.map((value) => {
		const index = ids.indexOf(String(value.requestId));
		const isOnly = index >= 0 && ids.lastIndexOf(String(value.requestId)) === index;
		return { ok: true, value, source, itemIndex: isOnly ? index : undefined };
	});
