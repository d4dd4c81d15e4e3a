import type { IDataObject, IExecuteFunctions, INodeExecutionData, ISourceData } from 'n8n-workflow';

import { inputSourceOf, jsonOf, lastOutputsOf, linkedItems } from '../n8n/earlierItems';
import { nodesBefore, upstreamNodes } from '../n8n/graph';
import type { ItemResult } from '../n8n/itemResults';
import type { Run } from '../shared/operation';

/** Each once, in the order of the items. */
export const requestIdsOf = (items: INodeExecutionData[]): string[] => [
	...new Set(items.map(requestIdOf).filter((id) => id !== undefined)),
];

/** Undefined for an error. */
const requestIdOf = (item?: INodeExecutionData): string | undefined => {
	const id = jsonOf(item)?.requestId;
	return typeof id === 'string' && id !== '' ? id : undefined;
};

/** The request ID that each input item stands for. */
export type MappedIds = Array<string | undefined>;

/** An item without a request ID stands for that of the nearest node of this package before it. */
async function mappedIdsOf({ context }: Run): Promise<MappedIds> {
	const mappedIds = context.getInputData().map(requestIdOf);
	for (const { name } of upstreamNodes(context).reverse()) {
		if (!mappedIds.includes(undefined)) break;
		const linked = await linkedItems(context, name);
		linked.forEach((item, itemIndex) => (mappedIds[itemIndex] ??= requestIdOf(item)));
	}
	return mappedIds;
}

/** The run of a node with whose items those of a wait are linked: the i-th with the i-th. */
interface Pairing {
	requestIds: string[];
	source?: ISourceData;
	mappedIds: MappedIds;
}

/**
 * Finds a run whose items correspond 1:1 to the collection requests, because n8n pairs by position after
 * a wait. If none is in order, adopts the order of the nearest. Without any, `$('…').item` fails.
 */
export async function pairingOf(
	run: Run,
	requestIds: string[],
	named?: MappedIds,
): Promise<Pairing> {
	const mappedIds = named ?? (await mappedIdsOf(run));
	const count = requestIds.length;
	const awaited = new Set<string | undefined>(requestIds);
	let nearest: Pairing | undefined;
	for await (const { source, ids } of sourcesOf(run, count, mappedIds)) {
		const first = ids.slice(0, count);
		const isEach = new Set(first.filter((id) => awaited.has(id))).size === count;
		if (!isEach || ids.slice(count).some((id) => awaited.has(id))) continue;
		const pairing = { requestIds: first as string[], source, mappedIds };
		if (requestIds.every((id, index) => first[index] === id)) return pairing;
		nearest ??= pairing;
	}
	return nearest ?? { requestIds, mappedIds };
}

/** The runs that items could be linked with, nearest first, with the request IDs of their items. */
async function* sourcesOf({ context }: Run, count: number, mappedIds: MappedIds) {
	yield { source: inputSourceOf(context), ids: mappedIds };
	const own = context.getNode();
	for (const { name, type } of [own, ...nodesBefore(context)]) {
		const runs = lastOutputsOf(context, name).filter(({ items }) => items.length >= count);
		if (runs.length === 0) continue;
		const idOf = type === own.type ? requestIdOf : await idByLinks(context, name, mappedIds);
		yield* runs.map(({ source, items }) => ({ source, ids: items.map(idOf) }));
	}
}

/** An item of another node stands for the request ID of the input items linked to it, if it is one. */
async function idByLinks(context: IExecuteFunctions, name: string, mappedIds: MappedIds) {
	const ids = new Map<unknown, string | undefined>();
	const linked = await linkedItems(context, name);
	for (const [itemIndex, id] of mappedIds.entries()) {
		const fields = jsonOf(linked[itemIndex]);
		ids.set(fields, ids.has(fields) && ids.get(fields) !== id ? undefined : id);
	}
	return (item: INodeExecutionData) => ids.get(jsonOf(item));
}

/** If several stand for the same request ID, no link: it would be the first person's data. */
export function pairedResults(
	items: IDataObject[],
	ids: MappedIds,
	source?: ISourceData,
): ItemResult[] {
	const indexes = new Map<string | undefined, number | undefined>();
	for (const [index, id] of ids.entries()) indexes.set(id, indexes.has(id) ? undefined : index);
	return items.map((value) => {
		const itemIndex = indexes.get(String(value.requestId));
		return { ok: true, value, source, itemIndex };
	});
}
